import { readFileSync } from 'node:fs'
import { describedOperations } from '../service/src/operations.ts'
import { errorsGuide } from './errors-guide.ts'

const root = new URL('../', import.meta.url)

/** The guides in reading order. */
const guides = [
  'quickstart',
  'authentication',
  'idempotency-and-retries',
  'paging-and-syncing',
  'amounts',
  'order-life',
  'wallets',
  'webhooks',
  'errors',
  'simulations',
  'going-live',
]

/** Writes docs/llms.txt: an index for language models and readers in a hurry. */
export function llmsText(): string {
  const titled = guides.map((name) => {
    // The page of errors is not in git.
    const text = name === 'errors' ? errorsGuide() : readFileSync(new URL(`docs/guides/${name}.md`, root), 'utf8')
    const [title = '', about = ''] = text.split('\n\n')
    const [sentence = ''] = about.replaceAll('\n', ' ').split(/(?<=\.) /)
    return `- [${title.replace('# ', '')}](guides/${name}.md): ${sentence}`
  })
  const operations = describedOperations.map(({ header }) => {
    const origin = header.isExtension ? ' (ours, not in the specification)' : ''
    return `- \`${header.method} /api${header.path.replaceAll(/:(\w+)/g, '{$1}')}\`: ${header.summary}${origin}.`
  })
  return `# Investor Token API

> Onboard investors, sell them tokenised offerings, and read their orders, wallets, balances and transactions over HTTP and
> JSON. There is an SDK for TypeScript (\`@investor-token/sdk\`), a command line (\`investor-token\`), and a local
> installation that really mints (\`npm run dev\`).

Things that are easily got wrong: units are whole numbers as strings in the smallest unit; send \`X-Idempotency-Key\` with
every write that takes one and the same key when sending again; decide by \`error.code\`; tokens last 600 seconds; a credential
has 30 requests a minute; read whole lists with \`direction=asc\`.

## Guides

${titled.join('\n')}

## Reference

- [OpenAPI 3.1](../service/openapi.json): every operation, field, limit, error and example.
- [SDK](../sdk/README.md): the TypeScript client.
- [Command line](../cli/README.md): every operation from a shell, and webhooks to a laptop.
- [Postman collection](postman_collection.json): fill in a credential, press Send.
- [Changelog](../CHANGELOG.md): what changed.

## Operations

${operations.join('\n')}
`
}
