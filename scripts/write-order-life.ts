import { writeFile } from 'node:fs/promises'
import { orderLifeDocument } from './order-life-document.ts'

await writeFile(new URL('../docs/order-life.md', import.meta.url), orderLifeDocument())
