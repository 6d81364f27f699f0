import { readFile, writeFile } from 'node:fs/promises'
import { configurationDocument } from './configuration-document.ts'

const file = new URL('../docs/configuration.md', import.meta.url)
await writeFile(file, configurationDocument(await readFile(file, 'utf8')))
