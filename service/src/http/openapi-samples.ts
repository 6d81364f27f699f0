import { exampleOf } from './example.ts'
import type { Json } from './openapi-schemas.ts'
import type { Operation } from './operation.ts'

/** How to call an operation from a shell and from TypeScript; both read the base address and the token from outside. */
export function codeSamples(operation: Operation, body: unknown): Json[] {
  const path = samplePath(operation)
  return [
    { lang: 'Shell', label: 'curl', source: curl(operation, path, body) },
    { lang: 'TypeScript', label: 'fetch', source: fetchCall(operation, path, body) },
  ]
}

function samplePath({ header }: Operation): string {
  const values = (header.params ? exampleOf(header.params) : {}) as Record<string, string>
  return header.path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(values[name] ?? ''))
}

function curl({ kind, header }: Operation, path: string, body: unknown): string {
  const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
  return [
    `curl "$BASE_URL${path}"`,
    ...(header.method === 'PATCH' ? ['-X PATCH'] : []),
    ...(kind === 'tenant' ? ['-H "Authorization: Bearer $TOKEN"'] : []),
    ...(header.idempotency === 'none' ? [] : ['-H "X-Idempotency-Key: $(uuidgen)"']),
    ...(body === undefined
      ? []
      : ["-H 'Content-Type: application/json'", `-d ${quoted(JSON.stringify(body, null, 2))}`]),
  ].join(' \\\n  ')
}

function fetchCall({ kind, header }: Operation, path: string, body: unknown): string {
  const headers = [
    ...(kind === 'tenant' ? [`authorization: \`Bearer \${token}\``] : []),
    ...(header.idempotency === 'none' ? [] : ["'x-idempotency-key': crypto.randomUUID()"]),
    ...(body === undefined ? [] : ["'content-type': 'application/json'"]),
  ]
  const options = [
    ...(header.method === 'GET' ? [] : [`method: '${header.method}'`]),
    `headers: { ${headers.join(', ')} }`,
    ...(body === undefined ? [] : [`body: JSON.stringify(${JSON.stringify(body, null, 2).replaceAll('\n', '\n  ')})`]),
  ]
  return [
    `const response = await fetch(\`\${baseUrl}${path}\`, {`,
    ...options.map((option) => `  ${option},`),
    '})',
    `if (!response.ok) throw new Error(\`\${response.status} \${await response.text()}\`)`,
    'const answer = await response.json()',
  ].join('\n')
}
