import { callSignedIn, callSteppedUp, element, onClick, run, say, showFacts } from './api.js'

// The code is typed, never part of a link: a link would let another person choose the device that a person confirms.
element('enter').addEventListener('submit', (event) => {
  event.preventDefault()
  void run(async () => {
    const device = await callSignedIn('POST', '/device-authorizations/open', typedCode())
    showFacts(element('facts'), {
      Device: device.device_name,
      'Requested from': device.source_address,
      Program: device.user_agent,
      'Requested at': new Date(device.created_at).toLocaleString(),
    })
    say('Check the device before you confirm.')
    show('device')
    element('confirm').focus()
  })
})

onClick(element('confirm'), async () => {
  const { device_name: name } = await callSteppedUp('POST', '/device-authorizations/confirm', typedCode())
  show(undefined)
  say(`Done: ${name} is signed in for a day. You can close this page.`)
})

onClick(element('cancel'), async () => {
  element('code').value = ''
  show('enter')
  say('Nothing was confirmed. The code expires by itself.')
})

void run(async () => {
  const { user, tenant } = await callSignedIn('GET', '/me')
  say(`You are ${user.name} of ${tenant.name}.`)
  show('enter')
})

function typedCode() {
  return { user_code: element('code').value }
}

function show(visible) {
  for (const id of ['enter', 'device']) element(id).hidden = id !== visible
}
