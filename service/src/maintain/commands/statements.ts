// The command that imports a bank statement from a file.
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { selectPolicies } from '../../access/policies/policy.sql.ts'
import { importStatementFile } from '../../money/statements/import-statement-file.ts'
import { statementUpload } from '../../money/statements/statement-upload.ts'
import { spooled, useSpoolFolder } from '../../platform/api/declare/spool.ts'
import { text } from '../program/arguments.ts'
import {
  audit,
  config,
  inDirectory,
  inTenant,
  MaintainError,
  print,
  printNote,
  showProgress,
} from '../program/program.ts'
import { tenantCommand } from '../program/tenant-command.ts'

tenantCommand('import-statement', 'service')
  .description('import a bank statement file, completely or not at all; a worker then matches its entries')
  .requiredOption('--file <path>', 'the file exported by the bank', text(4_096))
  .action(async ({ tenant: tenantId, file: path }: { tenant: string; file: string }) => {
    if (!(await stat(path).catch(() => undefined))?.isFile()) throw new MaintainError(`File ${path} does not exist.`)
    const problem = await useSpoolFolder(config().uploadFolder, { bytesMax: statementUpload.bytesMax, files: 1 })
    if (problem) throw new MaintainError(problem)
    // The command line does not identify the person, so it follows the same rule as a person at the operator API.
    const policies = await inDirectory(tenantId, (tx) => selectPolicies(tx, tenantId))
    const waitsForBooking = !policies.some((one) => one.policy === 'statement_booking' && one.fromMinor === null)
    // Copies the file first, so that another process that writes to it cannot change it during the import.
    const result = await spooled(createReadStream(path), { ...statementUpload, tenantId }, (file) =>
      inTenant(
        tenantId,
        async (tx, vaults) => {
          const context = {
            tenantId,
            tx,
            vault: vaults.of(tx, tenantId),
            waitsForBooking,
            onProgress: (entries: number) => showProgress('read', entries, 'entries'),
          }
          const imported = await importStatementFile(context, file)
          for (const { id, ...statement } of imported.is_new ? imported.statements : []) {
            const { bank_id, entries, duplicates, continuity, waits_for_booking } = statement
            await audit(tx, {
              action: 'statement.imported',
              subject: { type: 'statement', id },
              after: { bank_id, entries, duplicates, continuity, waits_for_booking },
            })
          }
          return imported
        },
        statementUpload.msMax,
      ),
    )
    if (process.stderr.isTTY) process.stderr.write('\n')
    const isWaiting = result.statements.some(({ waits_for_booking }) => waits_for_booking)
    print({
      tenant_id: tenantId,
      is_new: result.is_new,
      entries_read: result.entries_read,
      entries_new: result.entries_new,
      duplicates: result.duplicates,
      statements: result.statements.map(({ id }) => id),
      waits_for_booking: isWaiting,
    })
    printNote(
      !result.is_new
        ? 'This file was imported before. Nothing was changed.'
        : isWaiting
          ? 'The statements wait: POST /statements/{id}/book books them, which needs a second person.'
          : 'A worker now books the entries: GET /statements/{id} shows its progress.',
    )
    const gaps = result.statements.filter(({ continuity }) => continuity === 'gap').map(({ bank_id }) => bank_id)
    if (gaps.length > 0) printNote(`A statement is missing before ${gaps.join(', ')}. Import it too.`)
  })
