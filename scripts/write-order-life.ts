import { readFile, writeFile } from 'node:fs/promises'
import { orderLifeDocument } from './order-life-document.ts'

const file = new URL('../docs/guides/order-life.md', import.meta.url)
await writeFile(file, orderLifeDocument(await readFile(file, 'utf8')))
