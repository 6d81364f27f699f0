import { callSignedIn, callSteppedUp, element, onClick, run, say, showFacts } from './api.js'

const [, , , database, approvalId] = location.pathname.split('/')
const path = `${database === 'directory' ? '/directory-approvals' : '/approvals'}/${approvalId}`

for (const decision of ['confirm', 'reject', 'withdraw'])
  onClick(element(decision), async () => {
    await callSteppedUp('POST', `${path}/${decision}`)
    await show()
  })
void run(show)

async function show() {
  const [{ user }, approval] = await Promise.all([callSignedIn('GET', '/me'), callSignedIn('GET', path)])
  const isOwn = approval.proposed_by === user.id
  const isPending = approval.state === 'pending'
  say(
    isPending
      ? isOwn
        ? 'You proposed this. Another person must confirm it.'
        : 'Check the change before you decide.'
      : `This change is ${approval.state}.`,
  )
  showFacts(element('facts'), {
    Operation: approval.operation,
    [`The ${approval.subject_type}`]: approval.subject_name ?? approval.subject_id,
    ...(approval.amount === null ? {} : { Amount: amountText(approval) }),
    'Proposed by': approval.proposed_by_name ?? approval.proposed_by,
    'Proposed at': new Date(approval.proposed_at).toLocaleString(),
    'Needs the duty': approval.confirm_duty,
    Expires: new Date(approval.expires_at).toLocaleString(),
    State: approval.state,
  })
  element('request').textContent = JSON.stringify(approval.request, null, 2)
  element('confirm').hidden = isOwn
  element('reject').hidden = isOwn
  element('withdraw').hidden = !isOwn
  element('decide').hidden = !isPending
  element('approval').hidden = false
}

/** From minor units, as text: an amount may have more digits than a number keeps exactly. */
function amountText({ amount, currency }) {
  const format = new Intl.NumberFormat(undefined, { style: 'currency', currency, currencyDisplay: 'code' })
  const digits = format.resolvedOptions().maximumFractionDigits
  const padded = amount.padStart(digits + 1, '0')
  const cut = padded.length - digits
  return format.format(digits === 0 ? padded : `${padded.slice(0, cut)}.${padded.slice(cut)}`)
}
