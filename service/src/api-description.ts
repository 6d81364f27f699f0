import type { ApiDescription } from './platform/api/openapi/openapi.ts'
import { integratorPrefixes } from './platform/api/server/routes.ts'

const text = `
Onboard investors, sell them tokenised offerings, and read their orders, wallets, balances and transactions.

## Getting started

1. An operator issues a credential for you: a \`client_id\`, a \`client_secret\` and a set of scopes.
2. \`POST /auth\` exchanges it for an access token that is valid for 600 seconds. Request only the scopes that you need.
3. Send the token with every request: \`Authorization: Bearer <ACCESS_TOKEN>\`.

Prefix every path with \`/api\`, or with \`/_api\` to the same effect. In the code samples, \`BASE_URL\` is the URL of
the service with one of these prefixes, such as \`https://api.example.com/api\`, and \`TOKEN\` is an access token.

## Requests and responses

Bodies are JSON in UTF-8, at most 64 KiB. Unknown members and parameters are rejected, except members of a new
order and of \`POST /auth\`, and values are never converted to another type. Ids are UUIDs in upper or lower case;
responses contain them in lower case. Times are ISO 8601 in UTC.

Every response has an \`X-Request-Id\` header. Include it when you contact support about a request.

## Idempotency

A connection can break after a request has taken effect and before you receive the response. If an operation accepts
\`X-Idempotency-Key\`, send a new unique value with each new request, and the same value when you retry a request. A
retry has no further effect and returns the first response with \`Idempotency-Replayed: true\`. If its body differs from
the first one, the response also has \`Idempotency-Payload-Mismatch: true\`. A rejected request does not use up its key.
Keys are scoped to a credential, a method and a path.

## Pagination

Lists are paginated with \`limit\` (10 to 50) and \`offset\`, newest first. \`pagination.next\` is the URL of the next
page, or null on the last page. With \`direction=asc\`, the oldest elements come first and the offset of an element
never changes: use it to read a whole list while elements are added.

## Events

Every change in your tenant has an event, which is recorded in the same transaction as the change. Events have sequence
numbers without gaps. \`GET /events?after=<sequence>\` returns the events after a sequence number that the scopes of
your token allow you to read. Store the last \`sequence\` that you have processed, and you will neither miss an event
nor see one twice. Events are kept for 30 days. An event contains ids and states; read the details from the resource
itself. Events of one resource are in the order of its changes.

## Amounts

Units of a token are integers as strings, in the smallest unit: \`amount * 10^decimals\`. With 8 decimals,
\`"1000000000"\` means 10 tokens. They can exceed the range of a floating-point number. \`price_per_token\` is a decimal
string. \`total_amount\` and \`paid_amount\` are numbers of at most 15 digits in the given currency.

## Rate limits

Each credential can send 30 requests in any 60 seconds, unless the operator has set another limit. \`RateLimit-Policy\`
and \`RateLimit\` contain the limit and the remaining requests. Requests beyond the limit get a 429 with
\`Retry-After\`; they do not count towards the limit.

## Versions

The API version is a date. Each token is bound to one version: \`api_version\` in \`POST /auth\`, or the default of the
credential. \`ST-Api-Version\` in a response is the version that was used; \`ST-Api-Version-Beta: true\` means that it
can still change. Operations and parameters marked \`x-extension\` are additions to the specification.

## Errors

All errors have the same format: \`error.type\`, \`error.code\`, \`error.message\` and, for an invalid request,
\`error.errors\` with all violations at once. Handle errors by \`code\`; new codes can be added.
`

/** The introduction of the API reference. */
export const apiDescription: ApiDescription = {
  title: 'Investor Token API',
  summary: 'Onboard investors, sell them tokenised offerings, and read their orders and holdings.',
  text: text.trim(),
  prefixes: integratorPrefixes,
  bearer: { bearerFormat: 'JWT', description: 'An access token from `POST /auth`, valid for 600 seconds.' },
  tags: [
    { name: 'Authentication', description: 'Exchange a credential for an access token.' },
    { name: 'Accounts', description: 'Investors: individuals and companies.' },
    { name: 'Benefiting persons', description: 'The beneficial owners of a company.' },
    { name: 'Offerings', description: 'The tokens for sale.' },
    { name: 'Orders', description: 'Purchases of tokens and their status.' },
    { name: 'Transfers', description: 'Requests to move tokens from one investor to another.' },
    { name: 'Wallets', description: 'The blockchain wallets of an account.' },
    { name: 'Balances and transactions', description: 'The tokens in wallets, and their transfers.' },
    { name: 'Events', description: 'All changes in your tenant, in order.' },
    { name: 'Requests', description: 'The requests that your credential has sent.' },
    {
      name: 'Simulations',
      description:
        'Simulate payments, deadlines, transfers and chain failures. Available in development environments only.',
    },
    { name: 'Payment notifications', description: 'Signed reports of payments, sent by payment providers.' },
    { name: 'Eligibility', description: 'What an investor must accept and answer to buy an offering.' },
    { name: 'KYC notifications', description: 'Signed results of identity checks, sent by KYC providers.' },
  ],
}
