// The command that imports a bank statement from a file.
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { importFile } from '../money/statements/import-file.ts'
import { statementUpload } from '../money/statements/statement-upload.ts'
import { spooled } from '../platform/api/declare/spool.ts'
import { appendAudit } from '../records/audit/append-audit.sql.ts'
import { text, uuid } from './maintain-arguments.ts'
import { inTenant, maintenance, print, program, Refused, remark } from './maintain-program.ts'

program
  .command('import-statement')
  .description('import a bank statement in camt.053, whole or not at all; a worker books its entries')
  .requiredOption('--tenant <id>', 'the tenant', uuid)
  .requiredOption('--file <path>', 'the file, as the bank exports it', text(4_096))
  .action(async ({ tenant: tenantId, file: path }: { tenant: string; file: string }) => {
    if (!(await stat(path).catch(() => undefined))?.isFile()) throw new Refused(`There is no file ${path}.`)
    // A copy first, so that what is read is what was there, whoever writes to the file meanwhile.
    const result = await spooled(createReadStream(path), statementUpload, (file) =>
      inTenant(
        tenantId,
        async (tx, vaults) => {
          const context = { tenantId, tx, vault: vaults.of(tx, tenantId), onProgress: showProgress }
          const imported = await importFile(context, file)
          for (const { id, bank_id, entries, duplicates } of imported.is_new ? imported.statements : [])
            await appendAudit(tx, maintenance, {
              action: 'statement.imported',
              subject: { type: 'statement', id },
              after: { bank_id, entries, duplicates },
            })
          return imported
        },
        statementUpload.msMax,
      ),
    )
    if (process.stderr.isTTY) process.stderr.write('\n')
    print({
      tenant_id: tenantId,
      is_new: result.is_new,
      entries_read: result.entries_read,
      entries_new: result.entries_new,
      duplicates: result.duplicates,
      statements: result.statements.map(({ id }) => id),
    })
    remark(
      result.is_new
        ? 'A worker books the entries from now on: GET /statements/{id} tells how far it is.'
        : 'This file was imported before. Nothing has changed.',
    )
  })

/** On one line that is written over, and only where somebody looks. */
function showProgress(entriesRead: number): void {
  if (process.stderr.isTTY) process.stderr.write(`\rread ${entriesRead.toLocaleString('en')} entries`)
}
