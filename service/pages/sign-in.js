import { addButton, call, element, run, say, usePasskey } from './api.js'

const returnTo = new URLSearchParams(location.search).get('return_to') ?? '/console'

void run(async () => {
  const { providers } = await call('GET', '/sign-in-methods')
  say('Choose how to sign in.')
  for (const provider of providers)
    addButton(element('methods'), `Continue with ${provider}`, async () => {
      const { url } = await call('POST', '/sign-in/provider', { provider, return_to: returnTo })
      location.assign(url)
    })
  addButton(
    element('methods'),
    'Sign in with a passkey',
    async () => {
      const { options } = await call('POST', '/sign-in/passkey/options')
      await call('POST', '/sign-in/passkey', { credential: await usePasskey(options) })
      // Only pages of ours: the address comes from the link.
      location.assign(returnTo.startsWith('/console') ? returnTo : '/console')
    },
    providers.length > 0 ? 'secondary' : '',
  )
})
