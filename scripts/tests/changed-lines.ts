import { execFileSync } from 'node:child_process'

/** A changed file, by its path from the root, and the text of its changed lines. If absent, all of it counts. */
export interface Change {
  readonly file: string
  readonly lines?: string | undefined
}

/** Returns the differences from a revision: committed since, staged, unstaged and untracked. */
export function changesSince(root: string, base: string): readonly Change[] {
  // Shows both sides of a rename, as a removal and an addition.
  const diff = git(root, 'diff', '--unified=0', '--no-renames', '--no-color', '--no-ext-diff', base, '--')
  const changed = diff
    .split(/^diff --git /m)
    .slice(1)
    .map(changeOf)
  const untracked = git(root, 'ls-files', '--others', '--exclude-standard', '-z').split('\0').filter(Boolean)
  return [...changed, ...untracked.map((file) => ({ file }))]
}

function changeOf(part: string): Change {
  const file = /^a\/(.*?) b\/\1$/m.exec(part)?.[1] ?? ''
  const lines = part.split('\n').filter((line) => /^[+-](?!\+\+ |-- )/.test(line))
  return { file, lines: lines.map((line) => line.slice(1)).join('\n') }
}

function git(root: string, ...args: string[]): string {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 256 * 1_024 * 1_024 })
}
