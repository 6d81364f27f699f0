import { globSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import solc from 'solc'

const source = fileURLToPath(new URL('src/', import.meta.url))
const resolve = createRequire(import.meta.url).resolve

/** The text of each artifact by its file name: the same bytes on every machine, so that a commit can be held against it. */
export function compileContracts(): Map<string, string> {
  const files = globSync('*.sol', { cwd: source }).toSorted()
  const output: Output = JSON.parse(solc.compile(JSON.stringify(input(files)), { import: readImport }))
  if (output.errors?.length) throw new Error(output.errors.map((error) => error.formattedMessage).join('\n'))
  return new Map(
    files.flatMap((file) => {
      const name = basename(file, '.sol')
      const contract = output.contracts[file]?.[name]
      if (contract === undefined) throw new Error(`${file} has no contract ${name}`)
      // An interface has no code to deploy, and what it declares is part of the contract that has it.
      if (contract.evm.bytecode.object === '') return []
      const artifact = {
        compiler: solc.version(),
        abi: contract.abi,
        bytecode: `0x${contract.evm.bytecode.object}`,
        deployedBytecode: `0x${contract.evm.deployedBytecode.object}`,
      }
      return [[`${name}.json`, `${JSON.stringify(artifact, null, 2)}\n`] as const]
    }),
  )
}

interface Output {
  errors?: { formattedMessage: string }[]
  contracts: Record<string, Record<string, { abi: unknown[]; evm: { bytecode: Code; deployedBytecode: Code } }>>
}

interface Code {
  object: string
}

const input = (files: string[]) => ({
  language: 'Solidity',
  sources: Object.fromEntries(files.map((file) => [file, { content: readFileSync(`${source}${file}`, 'utf8') }])),
  settings: {
    // A token is deployed as a clone of a few bytes and used for years: what counts is the cost of a call, not of the code.
    optimizer: { enabled: true, runs: 1_000_000 },
    // Every chain that we know of has Cancun; a later one would shut some out for nothing that these contracts use.
    evmVersion: 'cancun',
    // The hash would differ with a comment or a path, and say nothing that this file does not.
    metadata: { bytecodeHash: 'none', appendCBOR: false },
    outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object', 'evm.deployedBytecode.object'] } },
  },
})

/** Relative imports are among the sources; what the compiler asks for is a package's. */
function readImport(path: string): { contents: string } | { error: string } {
  try {
    return { contents: readFileSync(resolve(path), 'utf8') }
  } catch {
    return { error: `${path} is not installed` }
  }
}
