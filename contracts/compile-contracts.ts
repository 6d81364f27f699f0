import { globSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import solc from 'solc'

const source = fileURLToPath(new URL('src/', import.meta.url))
const resolve = createRequire(import.meta.url).resolve

/**
 * Returns each artifact's content by file name, reproducibly, so that a test can compare it with the committed files.
 */
export function compileContracts(folder = source): Map<string, string> {
  const files = globSync('*.sol', { cwd: folder }).toSorted()
  const output: Output = JSON.parse(solc.compile(JSON.stringify(input(folder, files)), { import: readImport }))
  if (output.errors?.length) throw new Error(output.errors.map((error) => error.formattedMessage).join('\n'))
  return new Map(
    files.flatMap((file) => {
      const name = basename(file, '.sol')
      const contract = output.contracts[file]?.[name]
      if (contract === undefined) throw new Error(`${file} must contain a contract named ${name}`)
      // An interface has no bytecode, and its ABI is part of the contract that implements it.
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

const input = (folder: string, files: string[]) => ({
  language: 'Solidity',
  sources: Object.fromEntries(files.map((file) => [file, { content: readFileSync(`${folder}${file}`, 'utf8') }])),
  settings: {
    // A token is a clone of 45 bytes that is used for years, so this optimizes the cost of calls and not the code size.
    optimizer: { enabled: true, runs: 1_000_000 },
    // All known chains support Cancun. A later version would exclude some, and the contracts need none of its features.
    evmVersion: 'cancun',
    // The metadata hash would change with every comment and path.
    metadata: { bytecodeHash: 'none', appendCBOR: false },
    outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object', 'evm.deployedBytecode.object'] } },
  },
})

/** Resolves imports from npm packages; relative imports are among the sources. */
function readImport(path: string): { contents: string } | { error: string } {
  try {
    return { contents: readFileSync(resolve(path), 'utf8') }
  } catch {
    return { error: `${path} is not installed` }
  }
}
