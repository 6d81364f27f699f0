import { errorTable } from '../service/src/error-table.ts'
import { describedOperations } from '../service/src/operations.ts'
import { operatorApiOperations } from '../service/src/operator-operations.ts'
import type { DeclaredError } from '../service/src/platform/api/errors/declare-errors.ts'
import { errorsOf } from '../service/src/platform/api/openapi/openapi-errors.ts'

/** Above this number the guide says "Most operations" instead of listing them. */
const manyMin = 12

/** Writes docs/guides/errors.md: one section per error, generated from the table that responses use. */
export function errorsGuide(): string {
  const ofIntegrators = errorTable.filter((error) => operationsWith(error, describedOperations).length > 0)
  const ofOperators = errorTable.filter(
    (error) => !ofIntegrators.includes(error) && operationsWith(error, operatorApiOperations).length,
  )
  const ofNone = errorTable.filter((error) => !ofIntegrators.includes(error) && !ofOperators.includes(error))
  return `# Errors

What each error means and what to do about it. All errors have one shape. Branch on \`code\`, show \`message\` to a developer, and log
the response's \`X-Request-Id\`: support needs it to find your request.

\`npm run generate -- site\` generates this page from \`service/src/error-table.ts\`.

\`\`\`json
{
  "error": {
    "type": "invalid_request_error",
    "code": "validation_failed",
    "message": "units must be a whole number of at least 1, as a string of digits …",
    "errors": [{ "detail": "units must be …", "pointer": "/units" }]
  }
}
\`\`\`

| status | what to do |
|---|---|
| 400, 413, 415 | Fix the request. Sending it again unchanged will not help. |
| 401 | Get a new token, once; if that fails too, stop and investigate. |
| 403, 404 | Stop: you may not do this, or the resource does not exist. |
| 409 | Read the state of the resource. Retry only \`idempotency_in_progress\`. |
| 429, 503 | Wait for \`Retry-After\`, then retry with the same key. |
| 500 | Retry with the same key; if it persists, report the request id. |

The SDK does all of this. New codes may be added: handle an unknown code by its status.

## Errors of the integrator API

${ofIntegrators.map((error) => section(error, operationsWith(error, describedOperations))).join('\n')}
## Errors of any request

${ofNone.map((error) => section(error, [])).join('\n')}
## Errors of the operator API

${ofOperators.map((error) => section(error, operationsWith(error, operatorApiOperations))).join('\n')}`
}

function operationsWith(error: DeclaredError, operations: readonly Parameters<typeof errorsOf>[0][]): string[] {
  return operations
    .filter((operation) => errorsOf(operation, operations).includes(error))
    .map(({ header }) => `\`${header.method} ${header.path.replaceAll(/:(\w+)/g, '{$1}')}\``)
}

function section({ code, status, type, cause, remedy }: DeclaredError, operations: readonly string[]): string {
  const where =
    operations.length === 0 ? '' : operations.length >= manyMin ? 'Most operations.' : `${operations.join(', ')}.`
  return `### ${code}

${status}, \`${type}\`. ${where}

**Cause.** ${cause}

**Remedy.** ${remedy}
`.replaceAll(' \n', '\n')
}
