import { errorTable } from '../service/src/error-table.ts'
import { describedOperations } from '../service/src/operations.ts'
import { operatorOperations } from '../service/src/operator-operations.ts'
import type { DeclaredError } from '../service/src/platform/api/errors/declare-errors.ts'
import { errorsOf } from '../service/src/platform/api/openapi/openapi-errors.ts'

/** Answers of nearly every operation; naming them all would say nothing. */
const manyMin = 12

/** docs/guides/errors.md: one section for each code there is, made of the table that the answers are made of. */
export function errorsGuide(): string {
  const ofIntegrators = errorTable.filter((error) => operationsWith(error, describedOperations).length > 0)
  const ofOperators = errorTable.filter(
    (error) => !ofIntegrators.includes(error) && operationsWith(error, operatorOperations).length,
  )
  const ofNone = errorTable.filter((error) => !ofIntegrators.includes(error) && !ofOperators.includes(error))
  return `# Errors

What each error means and what to do about it. All have one shape. Decide by \`code\`, show \`message\` to a developer, and keep
the \`X-Request-Id\` of the answer: it is what we ask for when you ask us.

This page is written by \`npm run guides\` from \`service/src/error-table.ts\`.

\`\`\`json
{
  "error": {
    "type": "invalid_request_error",
    "code": "validation_failed",
    "message": "The member units must be a whole number from 1 on, as a string of digits …",
    "errors": [{ "detail": "The member units must be …", "pointer": "/units" }]
  }
}
\`\`\`

| status | what to do |
|---|---|
| 400, 413, 415 | Mend the request. Sending it again as it is will not help. |
| 401 | Get a new token, once; then stop and look. |
| 403, 404 | Stop: it is not yours to do, or not there. |
| 409 | Read the state of what you wanted to change. Only \`idempotency_in_progress\` is worth sending again. |
| 429, 503 | Wait as long as \`Retry-After\` says, then send it again with the same key. |
| 500 | Send it again with the same key; if it stays, tell us the request id. |

The SDK does all of the last column by itself. New codes may come: treat one that you do not know by its status.

## What integrators meet

${ofIntegrators.map((error) => section(error, operationsWith(error, describedOperations))).join('\n')}
## What any request can meet

${ofNone.map((error) => section(error, [])).join('\n')}
## What only operators meet

${ofOperators.map((error) => section(error, operationsWith(error, operatorOperations))).join('\n')}`
}

function operationsWith(error: DeclaredError, operations: readonly Parameters<typeof errorsOf>[0][]): string[] {
  return operations
    .filter((operation) => errorsOf(operation).includes(error))
    .map(({ header }) => `\`${header.method} ${header.path.replaceAll(/:(\w+)/g, '{$1}')}\``)
}

function section({ code, status, type, cause, remedy }: DeclaredError, places: readonly string[]): string {
  const where = places.length === 0 ? '' : places.length >= manyMin ? 'Most operations.' : `${places.join(', ')}.`
  return `### ${code}

${status}, \`${type}\`. ${where}

**Cause.** ${cause}

**Remedy.** ${remedy}
`.replaceAll(' \n', '\n')
}
