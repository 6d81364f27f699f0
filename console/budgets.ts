// Fails if a part of the built console is too large to load quickly. Sizes are gzipped, as the operator API sends them.
import { readFileSync, statSync } from 'node:fs'

interface Chunk {
  file: string
  src?: string
  name?: string
  isEntry?: boolean
  imports?: string[]
  dynamicImports?: string[]
  css?: string[]
}

const folder = new URL('dist/', import.meta.url)
const chunks: Record<string, Chunk> = JSON.parse(readFileSync(new URL('manifest.json', folder), 'utf8'))
const sizeOf = (file: string) => statSync(new URL(`${file}.gz`, folder)).size / 1000

/** Returns a chunk and everything that loads with it. */
function closureOf(key: string, found = new Set<string>()): Set<string> {
  if (found.has(key)) return found
  found.add(key)
  for (const imported of chunks[key]?.imports ?? []) closureOf(imported, found)
  return found
}

const sum = (keys: Iterable<string>) => [...keys].reduce((total, key) => total + sizeOf(chunks[key]?.file ?? ''), 0)

const entry = Object.keys(chunks).find((key) => chunks[key]?.isEntry) ?? ''
const shell = closureOf(entry)
/** Returns the size that a lazy chunk loads on top of the shell. */
const onTop = (key: string) => sum([...closureOf(key)].filter((one) => !shell.has(one)))
const lazy = Object.values(chunks).flatMap((chunk) => chunk.dynamicImports ?? [])
const isChart = (key: string) => /chart/.test(key)
const isText = (key: string) => key.startsWith('src/text/')
const largest = (keys: readonly string[]) => Math.max(0, ...keys.map(onTop))
const styles = new Set(Object.values(chunks).flatMap((chunk) => chunk.css ?? []))

const sizes = {
  shell: { size: sum(shell), max: 170 },
  screen: { size: largest(lazy.filter((key) => !isChart(key) && !isText(key))), max: 50 },
  charts: { size: largest(lazy.filter(isChart)), max: 135 },
  // Texts of one language.
  texts: { size: largest(lazy.filter(isText)), max: 20 },
  css: { size: [...styles].reduce((total, file) => total + sizeOf(file), 0), max: 40 },
}

if (process.argv.includes('--all'))
  for (const key of lazy) process.stdout.write(`${onTop(key).toFixed(1).padStart(8)} kB ${key}\n`)
process.exitCode = Object.values(sizes).some(({ size, max }) => size > max) ? 1 : 0
const parts = Object.entries(sizes).map(([name, { size }]) => `${name} ${size.toFixed(1)} kB`)
process.stdout.write(`budgets: ${parts.join(', ')}\n`)
