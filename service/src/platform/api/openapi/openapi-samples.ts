import { exampleOf } from '../declare/example.ts'
import type { Header, Operation } from '../declare/operation.ts'
import type { Json } from './openapi-schemas.ts'

/** Returns samples that call an operation from a shell and from TypeScript. Base URL and token are variables. */
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
    // curl defaults to GET, and to POST if it has a body.
    ...(header.method === (body === undefined ? 'GET' : 'POST') ? [] : [`-X ${header.method}`]),
    ...(kind === 'tenant' || kind === 'operator' || kind === 'stream' ? ['-H "Authorization: Bearer $TOKEN"'] : []),
    ...(header.idempotency === 'none' ? [] : ['-H "X-Idempotency-Key: $(uuidgen)"']),
    ...(header.upload ? [`-H 'Content-Type: ${header.upload.mediaTypes[0]}'`, '--data-binary @file'] : []),
    ...(body === undefined
      ? []
      : ["-H 'Content-Type: application/json'", `-d ${quoted(JSON.stringify(body, null, 2))}`]),
  ].join(' \\\n  ')
}

function fetchCall({ kind, header }: Operation, path: string, body: unknown): string {
  const headers = [
    ...(kind === 'tenant' || kind === 'operator' || kind === 'stream' ? [`authorization: \`Bearer \${token}\``] : []),
    ...(header.idempotency === 'none' ? [] : ["'x-idempotency-key': crypto.randomUUID()"]),
    ...(header.upload ? [`'content-type': '${header.upload.mediaTypes[0]}'`] : []),
    ...(body === undefined ? [] : ["'content-type': 'application/json'"]),
  ]
  const options = [
    ...(header.method === 'GET' ? [] : [`method: '${header.method}'`]),
    `headers: { ${headers.join(', ')} }`,
    ...(header.upload ? ['body: file'] : []),
    ...(body === undefined ? [] : [`body: JSON.stringify(${JSON.stringify(body, null, 2).replaceAll('\n', '\n  ')})`]),
  ]
  return [
    `const response = await fetch(\`\${baseUrl}${path}\`, {`,
    ...options.map((option) => `  ${option},`),
    '})',
    `if (!response.ok) throw new Error(\`\${response.status} \${await response.text()}\`)`,
    resultLine(header),
  ].join('\n')
}

function resultLine({ success }: Header): string {
  if (success.stream) return 'for await (const chunk of response.body) process.stdout.write(chunk)'
  return success.file ? 'const file = await response.text()' : 'const result = await response.json()'
}
