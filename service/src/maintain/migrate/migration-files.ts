import { readFile } from 'node:fs/promises'
import type { MigrationBuilder, RunnerOption } from 'node-pg-migrate'
import { LoggableError } from '../../platform/base/log.ts'

type Strategy = NonNullable<RunnerOption['migrationLoaderStrategies']>[number]

export class MigrationError extends LoggableError {
  override readonly name = 'MigrationError'
}

/**
 * Runs a file in one transaction, unless it creates or drops indexes concurrently, which PostgreSQL does only outside
 * of one. Such a file has no other statements, and each can be repeated: if one fails, the file runs again from its
 * start.
 */
export const migrationFiles: Strategy = {
  extensions: ['.sql'],
  loader: (paths) =>
    Promise.all(
      paths.map(async (path) => {
        const text = await readFile(path, 'utf8')
        const up = isConcurrent(text) ? concurrently(text, path) : (pgm: MigrationBuilder) => pgm.sql(text)
        return { id: path, filePaths: [path], actions: { up, down: false } }
      }),
    ),
}

export function isConcurrent(text: string): boolean {
  return /\bindex\s+concurrently\b/i.test(withoutComments(text))
}

const withoutComments = (text: string) => text.replaceAll(/--.*$/gm, '')

const creation = String.raw`create\s+(?:unique\s+)?index\s+concurrently\s+if\s+not\s+exists`
const removal = String.raw`drop\s+index\s+concurrently\s+if\s+exists`
const indexStatement = new RegExp(String.raw`^(?:${creation}|${removal})\s+((?:\w+\.)?\w+)(?:\s+on\s+(\w+)\.)?`, 'i')

function concurrently(text: string, path: string): (pgm: MigrationBuilder) => Promise<void> {
  const statements = withoutComments(text)
    .split(';')
    .map((statement) => statement.trim())
    .filter(Boolean)
    .map((statement) => {
      const [, name, schema] = indexStatement.exec(statement) ?? []
      if (!name)
        throw new MigrationError(
          `${path} is not run in a transaction, so it may only have create index concurrently if not exists and drop ` +
            `index concurrently if exists: ${statement}`,
        )
      return { statement, index: schema ? `${schema}.${name}` : name }
    })
  return async (pgm) => {
    pgm.noTransaction()
    // The statement waits for older transactions, but nobody waits for it, so it may take its time.
    pgm.sql('set lock_timeout = 0')
    pgm.sql('set statement_timeout = 0')
    for (const { statement, index } of statements) {
      // An interrupted run leaves an invalid index. PostgreSQL does not use it, and `if not exists` would skip it.
      if (await isInvalid(pgm, index)) pgm.sql(`drop index concurrently if exists ${index}`)
      pgm.sql(statement)
    }
    pgm.sql('reset lock_timeout')
    pgm.sql('reset statement_timeout')
  }
}

async function isInvalid({ db }: MigrationBuilder, index: string): Promise<boolean> {
  const { rows } = await db.query({
    text: 'select from pg_index where indexrelid = to_regclass($1) and not indisvalid',
    values: [index],
  })
  return rows.length > 0
}
