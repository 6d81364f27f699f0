// What all pages share: requests to the operator API, passkeys, and texts on the page.

/** An error response of the API. Its message is written for people. */
export class ApiProblem extends Error {
  constructor(status, { code, message }) {
    super(message)
    this.status = status
    this.code = code
  }
}

/** Calls an operation. The header shows the API that a page of the service sent the request. */
export async function call(method, path, body) {
  const headers = { 'X-Console': '1', ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) }
  const response = await fetch(`/operator${path}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const content = await response.json()
  if (response.ok) return content
  throw new ApiProblem(response.status, content.error)
}

/** Goes to the sign-in if there is no session; comes back to this page afterwards. */
export async function callSignedIn(method, path, body) {
  try {
    return await call(method, path, body)
  } catch (problem) {
    if (problem.status === 401) {
      location.assign(`/console/sign-in?return_to=${encodeURIComponent(location.pathname)}`)
      return new Promise(() => {})
    }
    throw problem
  }
}

/** Requests a passkey first if the operation needs one, and repeats the request. */
export async function callSteppedUp(method, path, body) {
  try {
    return await callSignedIn(method, path, body)
  } catch (problem) {
    if (problem.code !== 'step_up_needed') throw problem
    const { options } = await call('POST', '/step-up/options')
    if (!options.allowCredentials?.length)
      throw new ApiProblem(409, {
        code: 'passkey_missing',
        message: 'You have no passkey yet. Create one, then repeat this.',
      })
    await call('POST', '/step-up', { credential: await usePasskey(options) })
    return call(method, path, body)
  }
}

export async function usePasskey(options) {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options)
  return (await navigator.credentials.get({ publicKey })).toJSON()
}

export async function createPasskey(options) {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options)
  return (await navigator.credentials.create({ publicKey })).toJSON()
}

export const element = (id) => document.getElementById(id)

export function say(text) {
  element('status').textContent = text
}

/** Runs what a person started: buttons are disabled meanwhile, and a failure is shown. */
export async function run(work) {
  const buttons = [...document.querySelectorAll('button')]
  for (const button of buttons) button.disabled = true
  element('problem').textContent = ''
  try {
    await work()
  } catch (problem) {
    element('problem').textContent =
      problem.name === 'NotAllowedError' ? 'The passkey was not used. Try again.' : problem.message
    if (problem.code in waysOut) element('problem').append(' ', wayOut(problem.code))
  } finally {
    for (const button of buttons) button.disabled = false
  }
}

/** Where a person gets what a request lacks. */
const waysOut = {
  passkey_missing: { text: 'Create a passkey', href: '/console/passkey' },
  sign_in_again: { text: 'Sign in again', href: '/console/sign-in?step_up=true&return_to=/console/passkey' },
}

const returnKey = 'console.passkey-return'

function wayOut(code) {
  const { text, href } = waysOut[code]
  const link = document.createElement('a')
  link.textContent = text
  link.href = href
  if (code === 'passkey_missing')
    link.addEventListener('click', () => sessionStorage.setItem(returnKey, location.pathname + location.search))
  return link
}

/** The address that the person left for the page of passkeys; the console stores it in this tab. */
export function passkeyReturn() {
  const stored = sessionStorage.getItem(returnKey)
  return stored?.startsWith('/console') ? stored : undefined
}

export function forgetPasskeyReturn() {
  sessionStorage.removeItem(returnKey)
}

/** Fills a description list. */
export function showFacts(list, facts) {
  list.replaceChildren(
    ...Object.entries(facts).flatMap(([name, value]) => {
      const term = document.createElement('dt')
      term.textContent = name
      const description = document.createElement('dd')
      description.textContent = value
      return [term, description]
    }),
  )
}

export function onClick(button, work) {
  button.addEventListener('click', () => {
    void run(work)
  })
}

export function addButton(parent, text, work, className = '') {
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = text
  button.className = className
  onClick(button, work)
  parent.append(button)
}
