import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const run = promisify(execFile)

/**
 * Returns the code blocks of a page in this language, in order, including those inside lists. A word after the language
 * marks blocks that are not run.
 */
export function snippetsOf(page: string, language: 'ts' | 'ts sdk' | 'sh' | 'ini'): string[] {
  const text = readFileSync(join(root, page), 'utf8')
  const blocks = text.matchAll(new RegExp(`^( *)\`\`\`${language}\\n(.*?)^\\1\`\`\``, 'gms'))
  return [...blocks].map(([, indent = '', code = '']) => code.replaceAll(new RegExp(`^${indent}`, 'gm'), ''))
}

/** A folder inside the repository, so that a program in it resolves packages as a reader's would. */
export class SnippetFolder {
  readonly path = mkdtempSync(join(root, '.snippets-'))

  write(name: string, text: string): string {
    const file = join(this.path, name)
    writeFileSync(file, text)
    return file
  }

  /** Returns the output of the command. Throws its error output if it failed. */
  async run(command: string, args: string[], env: Record<string, string>): Promise<string> {
    const PATH = `${join(root, 'node_modules/.bin')}:${process.env['PATH']}`
    const options = { cwd: this.path, env: { HOME: this.path, ...env, PATH }, timeout: 120_000 }
    const { stdout } = await run(command, args, options)
    return stdout
  }

  /** Compiles the files in strict mode, as an integrator would. */
  async check(files: string[]): Promise<void> {
    const settings = ['--noEmit', '--strict', '--target', 'es2024', '--module', 'nodenext', '--skipLibCheck']
    const types = ['--types', 'node', '--ignoreConfig']
    await this.run('tsc', [...settings, ...types, ...files], {})
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true })
  }
}
