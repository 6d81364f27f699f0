// Deletes everything from node_modules that the service does not need at run time: `node scripts/prune-installation.ts
// <folder>`. npm also installs development tools that a library accepts as an optional peer, such as TypeScript.
import { globSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { billOfMaterials } from './bill-of-materials.ts'

const [, , folder] = process.argv
if (!folder) throw new Error('The folder is missing: name the one that contains node_modules.')

const kept = new Set(
  billOfMaterials().components.map(({ group, name, version }) => `${group ? `${group}/` : ''}${name}@${version}`),
)
const deleted: string[] = []
const modules = join(folder, 'node_modules')
prunePackages(modules)
// Files that only people and compilers read. Licences stay, because they require it.
for (const file of globSync('**/*.{map,ts,mts,cts,md,markdown}', { cwd: modules }))
  if (!/license|licence|notice/i.test(file.slice(file.lastIndexOf('/'))))
    rmSync(join(modules, file), { recursive: true })
// PDFs have one weight of each font, in the parts that unicode.json lists. Builds for browsers are never loaded.
for (const file of globSync('{@fontsource,@expo-google-fonts}/**/*.{css,png,scss,ttf,woff,woff2}', { cwd: modules }))
  if (!/-400-normal\.woff$|_400Regular\.ttf$/.test(file) || /-(chinese-simplified|korean)-/.test(file))
    rmSync(join(modules, file))
for (const path of globSync(['{fontkit/dist,pdfkit/js}/*{browser,standalone,.old.}*', 'pdfkit/.yarn'], {
  cwd: modules,
}))
  rmSync(join(modules, path), { recursive: true })
// Object files of the compiler, beside the addon that was linked from them.
for (const path of globSync('*/build/Release/{obj.target,.deps}', { cwd: modules }))
  rmSync(join(modules, path), { recursive: true })
process.stdout.write(`${JSON.stringify({ deleted: deleted.toSorted() })}\n`)

function prunePackages(within: string): void {
  for (const entry of readdirSync(within, { withFileTypes: true })) {
    const path = join(within, entry.name)
    // Links to workspaces, links to executables, and npm's own list of installed packages, which is no longer true.
    if (entry.isSymbolicLink() || entry.name.startsWith('.')) rmSync(path, { recursive: true })
    else if (entry.name.startsWith('@')) prunePackages(path)
    else prunePackage(path)
  }
  if (readdirSync(within).length === 0) rmSync(within, { recursive: true })
}

function prunePackage(path: string): void {
  const { name, version } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')) as Record<string, string>
  if (!kept.has(`${name}@${version}`)) {
    deleted.push(`${name}@${version}`)
    rmSync(path, { recursive: true })
  } else if (statSync(join(path, 'node_modules'), { throwIfNoEntry: false })) prunePackages(join(path, 'node_modules'))
}
