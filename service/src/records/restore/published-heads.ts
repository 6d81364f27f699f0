import { isUuid } from '../../platform/base/ids.ts'
import type { PublishedHead } from './record-restore.ts'

/**
 * Returns the newest published end of each tenant's audit log, from bodies that AUDIT_HEADS_URL received or log lines
 * of a worker, one JSON object per line. Ignores other lines.
 */
export function readPublishedHeads(lines: string): Map<string, PublishedHead> {
  const heads = new Map<string, PublishedHead>()
  for (const line of lines.split('\n'))
    for (const { tenantId, sequence, hash } of headsIn(line))
      if (sequence > (heads.get(tenantId)?.sequence ?? 0)) heads.set(tenantId, { sequence, hash })
  return heads
}

function headsIn(line: string): { tenantId: string; sequence: number; hash: string }[] {
  if (!line.startsWith('{')) return []
  let parsed: Record<string, unknown>
  try {
    parsed = JSON.parse(line)
  } catch {
    return []
  }
  const { tenant_id, audit_sequence: sequence, audit_hash: hash } = parsed
  const list = Array.isArray(parsed['heads']) ? parsed['heads'] : [{ tenant_id, sequence, hash }]
  return list
    .map((one) => ({ tenantId: String(one?.tenant_id), sequence: Number(one?.sequence), hash: String(one?.hash) }))
    .filter((one) => isUuid(one.tenantId) && Number.isSafeInteger(one.sequence) && /^[0-9a-f]{64}$/.test(one.hash))
}
