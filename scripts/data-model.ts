/** A table of schema.sql without what a diagram does not show. */
interface Table {
  readonly name: string
  readonly columns: readonly { name: string; type: string; isRequired: boolean }[]
  /** Columns of the primary key. */
  readonly key: readonly string[]
}

interface Relation {
  readonly from: string
  readonly columns: readonly string[]
  readonly to: string
}

const list = (text: string) => text.split(', ').map((name) => name.replaceAll('"', ''))

/** Reads the tables of a schema, without partitions. */
function tablesOf(sql: string, schema: string): Table[] {
  const partitions = new Set([...sql.matchAll(/ATTACH PARTITION ([\w.]+)/g)].map(([, name]) => name))
  return [...sql.matchAll(/^CREATE TABLE (\w+)\.(\w+) \(\n([\s\S]*?)\n\)/gm)]
    .filter(([, of, name]) => of === schema && !partitions.has(`${of}.${name}`))
    .map(([, , name = '', body = '']) => ({
      name,
      columns: [...body.matchAll(/^ {4}(?!CONSTRAINT)"?(\w+)"? (\w+)(.*)$/gm)].map(
        ([, column = '', type = '', rest = '']) => ({ name: column, type, isRequired: rest.includes('NOT NULL') }),
      ),
      key: constraintsOf(sql, `${schema}.${name}`, 'PRIMARY KEY')[0] ?? [],
    }))
    .toSorted((one, other) => one.name.localeCompare(other.name))
}

/** Columns of each constraint of a kind. */
function constraintsOf(sql: string, table: string, kind: string): string[][] {
  const pattern = new RegExp(`^ALTER TABLE (?:ONLY )?${table}\\n\\s+ADD CONSTRAINT \\w+ ${kind} \\(([^)]+)\\)`, 'gm')
  return [...sql.matchAll(pattern)].map(([, columns = '']) => list(columns))
}

/** Foreign keys between tables of a schema. Those to the tenant are left out: each table of a tenant has one. */
function relationsOf(sql: string, schema: string): Relation[] {
  const pattern = new RegExp(
    `^ALTER TABLE (?:ONLY )?${schema}\\.(\\w+)\\n\\s+ADD CONSTRAINT \\w+ FOREIGN KEY \\(([^)]+)\\) REFERENCES ${schema}\\.(\\w+)`,
    'gm',
  )
  return [...sql.matchAll(pattern)]
    .map(([, from = '', columns = '', to = '']) => ({ from, columns: list(columns), to }))
    .filter(({ to }) => to !== 'tenant')
    .toSorted((one, other) => `${one.to} ${one.from}`.localeCompare(`${other.to} ${other.from}`))
}

/** A line such as `account ||--o{ wallet : account_id`. */
function relationLine(sql: string, schema: string, tables: readonly Table[], { from, columns, to }: Relation): string {
  const child = tables.find(({ name }) => name === from)
  const isRequired = columns.every((name) => child?.columns.find((column) => column.name === name)?.isRequired)
  const unique = [child?.key ?? [], ...constraintsOf(sql, `${schema}.${from}`, 'UNIQUE')]
  const isOne = unique.some((key) => key.toSorted().join() === columns.toSorted().join())
  const own = columns.filter((name) => name !== 'tenant_id')
  return `  ${to} ${isRequired ? '||' : '|o'}--${isOne ? 'o|' : 'o{'} ${from} : ${own.join('_and_')}`
}

function diagram(sql: string, schema: string): string {
  const tables = tablesOf(sql, schema)
  const relations = relationsOf(sql, schema)
  const related = new Set(relations.flatMap(({ from, to }) => [from, to]))
  const alone = tables.filter(({ name }) => !related.has(name)).map(({ name }) => `\`${name}\``)
  const entities = tables.flatMap(({ name, columns, key }) => {
    const shown = columns.filter((column) => key.includes(column.name) && column.name !== 'tenant_id')
    const isUsual = shown.map((column) => column.name).join() === 'id'
    if (!related.has(name) || isUsual) return []
    return [`  ${name} {`, ...shown.map((column) => `    ${column.type} ${column.name} PK`), '  }']
  })
  const lines = relations.map((relation) => relationLine(sql, schema, tables, relation))
  const text = ['```mermaid', 'erDiagram', ...lines, ...entities, '```', '', `No other relation: ${alone.join(', ')}.`]
  return text.join('\n')
}

/** docs/data-model.md: the tables of directory and cell with their primary and foreign keys. */
export function dataModelDocument(sql: string): string {
  return `# Data model

Tables and how they refer to each other. \`npm run generate -- data-model\` writes this page from \`service/schema.sql\`,
which has all columns. Terms are in the [glossary](glossary.md).

A tenant's tables begin their primary and foreign keys with \`tenant_id\`, which the diagrams leave out. A table whose
key is not shown has the key \`id\`. A relation is named after the column that refers to the other table.

## Directory

Tenants, users, credentials, and which cell each tenant is in.

${diagram(sql, 'directory')}

## Cell

Everything that tenants own. Tables of the schema \`base\`, such as the audit log, are in both databases.

${diagram(sql, 'cell')}
`
}
