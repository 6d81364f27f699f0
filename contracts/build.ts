// Writes contracts/artifacts from contracts/src: `npm run generate -- contracts`
import { mkdir, writeFile } from 'node:fs/promises'
import { compileContracts } from './compile-contracts.ts'

const folder = new URL('artifacts/', import.meta.url)
await mkdir(folder, { recursive: true })
for (const [file, text] of compileContracts()) await writeFile(new URL(file, folder), text)
