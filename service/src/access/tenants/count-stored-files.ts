import type { Transaction } from '../../platform/postgres/transaction.ts'
import { raiseAlarm } from '../alarms/raise-alarm.ts'
import { addToFileBytes, type FileBytes, findFileBytes } from './file-bytes.sql.ts'
import { requireWithinLimit } from './tenant-limits.ts'

const bytesPerMebibyte = 1_048_576n

/** Counts files that this transaction has stored, and rejects them if the tenant then has too many. */
export async function requireRoomForFiles(tx: Transaction, tenantId: string, stored: number): Promise<void> {
  requireWithin(await countStoredFiles(tx, tenantId, stored))
}

/** Rejects a request before it starts a long write. Counts nothing. */
export async function requireSomeRoomForFiles(tx: Transaction, tenantId: string): Promise<void> {
  requireWithin(await findFileBytes(tx, tenantId))
}

/**
 * Counts the bytes that this transaction has stored or, if negative, deleted. Call it last, because it locks the
 * tenant's row. Raises an alarm when four fifths of the limit are used.
 */
export async function countStoredFiles(tx: Transaction, tenantId: string, added: number): Promise<FileBytes> {
  const counted = await addToFileBytes(tx, tenantId, added)
  const alarmAt = (BigInt(counted.mebibytesMax) * bytesPerMebibyte * 4n) / 5n
  if (counted.bytes >= alarmAt && counted.bytes - BigInt(added) < alarmAt) {
    const data = { file_mebibytes: mebibytesOf(counted), file_mebibytes_max: counted.mebibytesMax }
    await raiseAlarm(tx, tenantId, { type: 'tenant.files_filling', data, offeringId: null })
  }
  return counted
}

function requireWithin(counted: FileBytes): void {
  requireWithinLimit('fileMebibytes', mebibytesOf(counted), counted.mebibytesMax)
}

/** Rounds up, because the limit is exact to the byte. */
function mebibytesOf({ bytes }: FileBytes): number {
  return Number((bytes + bytesPerMebibyte - 1n) / bytesPerMebibyte)
}
