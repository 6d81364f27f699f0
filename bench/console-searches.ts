import { encodeCursor } from '../service/src/platform/api/declare/cursor.ts'
import type { TestInstallation } from '../service/test/harness/installation/test-installation.ts'
import { ibanOfAccount, nameOfAccount } from './console-accounts.ts'
import type { Measurement } from './console-measurement.ts'
import type { ConsoleBook } from './console-rows.ts'

/** Measures what people type: a name or its beginning, an e-mail address, an IBAN, a reference, an id, nonsense. */
export async function searchMeasurements(installation: TestInstallation, book: ConsoleBook): Promise<Measurement[]> {
  const { accounts, orders, tenantId } = book
  const position = Math.floor(accounts / 3)
  const { firstName, lastName, email } = nameOfAccount(position)
  const [family = '', second = ''] = lastName.split('-')
  const { rows } = await installation.owner((owner) =>
    owner.query<{ id: string }>('select id from cell.account where tenant_id = $1 and position = $2', [
      tenantId,
      position,
    ]),
  )
  const id = rows[0]?.id ?? ''
  const typed = {
    'a first name': firstName,
    'two letters': firstName.slice(0, 2),
    'first and last name': `${firstName} ${family}`,
    'three words': `${second} ${family} ${firstName}`,
    'an e-mail address': email,
    'half an e-mail address': email.slice(0, -14),
    nonsense: 'no such name',
  }
  const search = (name: string, query: string): Measurement => ({
    kind: 'search',
    name: `/search ${name}`,
    path: '/search',
    body: { query },
  })
  return [
    ...Object.entries(typed).map(([name, query]) => search(name, query)),
    search('an IBAN', ibanOfAccount(position)),
    search('a reference', `RF18${String(Math.floor(orders / 3)).padStart(12, '0')}`.replaceAll(/(.{4})/g, '$1 ')),
    search('half a reference', 'RF180000'),
    search('a wallet', `0x${(position + 1).toString(16).padStart(40, '0')}`),
    search('an id', id),
    ...Object.entries({ ...typed, 'an id': id }).map(
      ([name, q]): Measurement => ({
        kind: 'search',
        name: `/accounts/search ${name}`,
        path: '/accounts/search?limit=25',
        body: { q },
      }),
    ),
    {
      kind: 'search',
      name: '/accounts/search a first name, pending',
      path: '/accounts/search?limit=25',
      body: { q: firstName, kyc_status: ['PENDING'] },
    },
    {
      kind: 'search',
      name: '/accounts/search a first name, deep',
      path: `/accounts/search?limit=25&cursor=${encodeCursor({ sort: 'id', direction: 'desc' }, { key: null, id })}`,
      body: { q: firstName },
    },
  ]
}
