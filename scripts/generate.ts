// Writes all files that are derived from the code: `npm run generate` lists them, `npm run generate -- openapi sdk`
// writes some. A test fails if a committed file is out of date.
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const root = fileURLToPath(new URL('../', import.meta.url))

function write(file: string, text: string): void {
  mkdirSync(dirname(root + file), { recursive: true })
  writeFileSync(root + file, text)
}
const read = (file: string) => readFileSync(root + file, 'utf8')
const json = (value: unknown) => `${JSON.stringify(value, undefined, 2)}\n`
const ofWorkspace =
  (name: string, script = 'generate') =>
  () =>
    void execFileSync('npm', ['run', '--silent', script, '-w', name], { cwd: root, stdio: 'inherit' })

const generators: Readonly<Record<string, { about: string; run: () => Promise<void> | void }>> = {
  openapi: {
    about: 'service/openapi.json, from the declared operations',
    run: async () => {
      const { openApiDocument } = await import('../service/src/platform/api/openapi/openapi.ts')
      const { apiDescription } = await import('../service/src/api-description.ts')
      const { describedOperations } = await import('../service/src/operations.ts')
      write('service/openapi.json', json(openApiDocument(apiDescription, describedOperations)))
    },
  },
  'operator-openapi': {
    about: 'service/operator-openapi.json, which is not in git: npm ci writes it',
    run: async () => {
      const { openApiDocument } = await import('../service/src/platform/api/openapi/openapi.ts')
      const { operatorApiDescription } = await import('../service/src/operator-api-description.ts')
      const { operatorApiOperations } = await import('../service/src/operator-operations.ts')
      write('service/operator-openapi.json', json(openApiDocument(operatorApiDescription, operatorApiOperations)))
    },
  },
  schema: {
    about: 'service/schema.sql, from the migrations; needs PostgreSQL 15 at TEST_DATABASE_URL',
    run: async () => {
      const { dumpSchema } = await import('../service/test/harness/installation/schema-dump.ts')
      const schema = await dumpSchema()
      if (schema === undefined) throw new Error('schema.sql is written with PostgreSQL 15: set TEST_DATABASE_URL.')
      write('service/schema.sql', schema)
    },
  },
  sdk: { about: 'types and operations of the SDK, from service/openapi.json', run: ofWorkspace('sdk') },
  cli: { about: 'commands of the command line, from both API documents; npm ci writes them', run: ofWorkspace('cli') },
  console: {
    about: 'types of the console, from service/operator-openapi.json; npm ci writes them',
    run: ofWorkspace('console'),
  },
  contracts: { about: 'contracts/artifacts, from the Solidity sources', run: ofWorkspace('contracts', 'build') },
  configuration: {
    about: 'the settings in docs/configuration.md',
    run: async () => {
      const { configurationDocument } = await import('./configuration-document.ts')
      write('docs/configuration.md', configurationDocument(read('docs/configuration.md')))
    },
  },
  signals: {
    about: 'alerts and dashboards of the chart',
    run: async () => {
      const { signalFiles } = await import('../deploy/signals/signal-files.ts')
      for (const [path, text] of signalFiles()) write(path, text)
    },
  },
  site: {
    about: 'pages of the site that are not in git: errors, metrics, alerts',
    run: async () => {
      const { sitePages } = await import('./site-pages.ts')
      rmSync(`${root}docs/operations/alerts`, { recursive: true, force: true })
      for (const [path, textOf] of sitePages) write(path, await textOf())
    },
  },
  'data-model': {
    about: 'docs/data-model.md, from service/schema.sql',
    run: async () => {
      const { dataModelDocument } = await import('./data-model.ts')
      write('docs/data-model.md', dataModelDocument(read('service/schema.sql')))
    },
  },
  'order-life': {
    about: 'the diagram in docs/guides/order-life.md',
    run: async () => {
      const { orderLifeDocument } = await import('./order-life-document.ts')
      write('docs/guides/order-life.md', orderLifeDocument(read('docs/guides/order-life.md')))
    },
  },
  'bill-of-materials': {
    about: 'bill-of-materials.json: what the service runs with, in CycloneDX; not committed',
    run: async () => {
      const { billOfMaterials } = await import('./bill-of-materials.ts')
      write('bill-of-materials.json', json(billOfMaterials()))
    },
  },
  guides: {
    about: 'the Postman collection and docs/llms.txt',
    run: async () => {
      const { llmsText } = await import('./llms-text.ts')
      const { postmanCollection } = await import('./postman-collection.ts')
      write('docs/postman_collection.json', json(postmanCollection()))
      write('docs/llms.txt', llmsText())
    },
  },
}

const { positionals: names } = parseArgs({ allowPositionals: true })
const unknown = names.find((name) => !(name in generators))
if (unknown !== undefined) throw new Error(`${unknown} is none of ${Object.keys(generators).join(', ')}.`)
if (names.length === 0) {
  const lines = Object.entries(generators).map(([name, { about }]) => `  ${name.padEnd(17)}  ${about}\n`)
  process.stdout.write(`npm run generate -- NAME ...\n\n${lines.join('')}`)
}
for (const name of names) await generators[name]?.run()
