import { billOfMaterials } from './bill-of-materials.ts'

process.stdout.write(`${JSON.stringify(billOfMaterials(), undefined, 2)}\n`)
