/** The reference library of Standard Webhooks, for the tests of SDK and CLI: only service/ lists the dependency. */
export { Webhook as ReferenceWebhook } from 'standardwebhooks'
