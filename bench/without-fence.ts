// Preloaded into the API process of a benchmark, never into a service: its transactions set the tenant as if tenants
// never moved, without comparing its residence (cell.enter). Measures what that comparison costs.
import { registerHooks } from 'node:module'
import { pathToFileURL } from 'node:url'

// The file of the measured checkout, which may differ from the checkout of this file.
const file = new URL('../platform/postgres/run-transaction.ts', pathToFileURL(process.argv[1] ?? '')).href
const fenced = 'tenantId && epoch !== undefined ? enter(tenantId, epoch, access) : identify(identity)'
let isRemoved = false

registerHooks({
  load: (url, context, nextLoad) => {
    const loaded = nextLoad(url, context)
    if (url !== file) return loaded
    const { source: bytes } = loaded
    const source = typeof bytes === 'string' ? bytes : Buffer.from((bytes ?? []) as Uint8Array).toString()
    isRemoved = source.includes(fenced)
    return { ...loaded, source: source.replace(fenced, 'identify(identity)') }
  },
})
await import(file)
// This check keeps two equal variants from being compared.
if (!isRemoved) throw new Error(`${file} was loaded before, or does not compare the residence where it did`)
