import { readFileSync } from 'node:fs'
import { usageFailure } from '../base/failure.ts'
import { pathOf } from '../base/host.ts'

/** Reads the file that `npm run dev` writes. Returns it with the tenant of this name, or the first one. */
export function readDevelopmentFile<Known extends { tenants?: { name: string }[] }>(
  file: string,
  tenantName: string | undefined,
): { known: Known; tenant: NonNullable<Known['tenants']>[number] } {
  let known: Known
  try {
    known = JSON.parse(readFileSync(pathOf(file), 'utf8')) as Known
  } catch {
    throw usageFailure(
      `Cannot read the file ${file}.`,
      'npm run dev writes it: check that it is running, and run this command in the same folder.',
    )
  }
  const tenants = known.tenants ?? []
  const tenant = tenants.find(({ name }) => tenantName === undefined || name === tenantName)
  if (tenant) return { known, tenant }
  throw usageFailure(
    `The file ${file} does not have this tenant.`,
    `Its tenants are: ${tenants.map(({ name }) => `"${name}"`).join(', ') || 'none'}.`,
  )
}
