import { Vaults } from '../service/src/platform/postgres/vault.ts'
import { ibanTerm } from '../service/src/records/search/search-terms.ts'
import { encryptionContext } from '../service/src/sales/accounts/account.view.ts'
import { individual } from '../service/test/harness/data/bodies.ts'
import type { TestInstallation } from '../service/test/harness/installation/test-installation.ts'
import { type ConsoleBook, rowIdAtPosition, rowIdExpression } from './console-rows.ts'
import { withVault } from './orders.ts'

// Some words are frequent, but most pairs of words are rare.
const firstNames = ['Ada', 'Ben', 'Carla', 'David', 'Emma', 'Felix', 'Grace', 'Hugo', 'Ida', 'Jonas']
const lastNames = ['Lovelace', 'Hopper', 'Schmidt', 'Turing', 'Noether', 'Weber', 'Fischer', 'Meyer', 'Wagner', 'Koch']
const endings = ['', 'a', 'e', 'in', 'is', 'o', 'us', 'er', 'en', 'y', 'ia', 'ke', 'le', 'na', 'ra', 'ta', 'va', 'sen']

export function nameOfAccount(position: number): { firstName: string; lastName: string; email: string } {
  const pick = (values: readonly string[], number: number) => values[number % values.length] ?? ''
  const firstName = pick(firstNames, position) + pick(endings, Math.floor(position / 10))
  const lastName = pick(lastNames, Math.floor(position / 7)) + pick(endings, Math.floor(position / 70))
  const word = (Math.imul(position, 2654435761) >>> 0) % 100
  return {
    firstName,
    lastName: `${lastName}-${pick(lastNames, word)}${pick(endings, Math.floor(word / 10))}`,
    email: `${firstName}.${lastName}.${position}@example.com`.toLowerCase(),
  }
}

/** Returns a valid German IBAN for each account. */
export function ibanOfAccount(position: number): string {
  const digits = `37040044${String(position).padStart(10, '0')}`
  const check = 98n - (BigInt(`${digits}131400`) % 97n)
  return `DE${String(check).padStart(2, '0')}${digits}`
}

// Sealing a batch must not block the process for long: waiting for a connection ends after two seconds.
const batch = 2_000

/**
 * Adds accounts of persons with the data that lists and searches read: a sealed bank account, the search terms of name,
 * e-mail address and IBAN, and for nine in ten a wallet. One in fifty waits for a decision.
 */
export async function addConsoleAccounts(
  installation: TestInstallation,
  book: ConsoleBook,
  onProgress: (accounts: number) => void,
): Promise<void> {
  const vaults = new Vaults(installation.config.dataMasterKeys)
  let [next, done] = [0, 0]
  // Two, so that one batch is sealed while another one is inserted.
  await Promise.all(
    [1, 2].map(async () => {
      while (next < book.accounts) {
        const from = next
        next = Math.min(book.accounts, from + batch)
        const positions = Array.from({ length: next - from }, (_, index) => from + index)
        await insertAccounts(installation, book, { positions, vaults })
        done += positions.length
        onProgress(done)
      }
    }),
  )
}

async function insertAccounts(
  installation: TestInstallation,
  { tenantId, startedAtMs, accounts, orders }: ConsoleBook,
  { positions, vaults }: { positions: readonly number[]; vaults: Vaults },
): Promise<void> {
  const ids = positions.map((position) => rowIdAtPosition(startedAtMs, position))
  const names = positions.map(nameOfAccount)
  const sealed = await sealBankAccounts(installation, { tenantId, positions, ids, vaults })
  await installation.owner(async (owner) => {
    await owner.query('set session_replication_role = replica')
    await owner.query(
      `with inserted as (
         insert into cell.account (tenant_id, id, position, type, email, email_confirmed, is_beneficiary, profile,
                                   bank_account, kyc_status, kyb_status, pending_since, order_count, wallet_count)
         select $1, id, position, 'INDIVIDUAL', email, true, true,
                $2::jsonb || jsonb_build_object('firstName', first_name, 'lastName', last_name), bank_account,
                case when position % 50 = 0 then 'PENDING' else 'APPROVED' end, 'NEW',
                case when position % 50 = 0 then now() - position % 1000 * interval '1 hour' end,
                $9::bigint, (position % 10 > 0)::int
         from unnest($3::uuid[], $4::bigint[], $5::text[], $6::text[], $7::text[], $8::bytea[])
           as given (id, position, first_name, last_name, email, bank_account)
       )
       insert into cell.wallet (tenant_id, id, account_id, position, blockchain, public_address, name, provider, type,
                                status, proven_at)
       select $1, ${walletId}, id, 0, 'ethereum', '0x' || lpad(to_hex(position), 40, '0'), 'Main', 'METAMASK',
              'BROWSER_WALLET', 'ACTIVE', now()
       from unnest($3::uuid[], $4::bigint[]) as given (id, position) where position % 10 > 0`,
      [
        tenantId,
        { gender: '', ...individual.individual },
        ids,
        positions,
        names.map(({ firstName }) => firstName),
        names.map(({ lastName }) => lastName),
        names.map(({ email }) => email),
        sealed.map(({ box }) => box),
        orders / accounts,
        startedAtMs,
      ],
    )
  })
  const terms = sealed.map(({ term }) => term)
  await insertAccountTerms(installation, { tenantId, startedAtMs, positions, ids, terms })
}

interface AccountTerms {
  readonly tenantId: string
  readonly startedAtMs: number
  readonly positions: readonly number[]
  readonly ids: readonly string[]
  readonly terms: readonly (string | undefined)[]
}

async function insertAccountTerms(installation: TestInstallation, given: AccountTerms): Promise<void> {
  const { tenantId, startedAtMs, positions, ids, terms } = given
  const names = positions.map(nameOfAccount)
  await installation.owner(async (owner) => {
    await owner.query('set session_replication_role = replica')
    await owner.query(
      `insert into cell.search_term (tenant_id, kind, term, subject_id)
       select distinct $1::uuid, 'account', term, id
       from unnest($2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[])
         as given (id, first_name, last_name, email, iban)
       cross join lateral (
         select lower(first_name) as term union select unnest(string_to_array(lower(last_name), '-'))
         union select email union select iban
       ) terms
       union all
       select $1, 'wallet', '0x' || lpad(to_hex(position), 40, '0'), ${walletId.replace('$10', '$8')}
       from unnest($2::uuid[], $7::bigint[]) as given (id, position) where position % 10 > 0`,
      [
        tenantId,
        ids,
        names.map(({ firstName }) => firstName),
        names.map(({ lastName }) => lastName),
        names.map(({ email }) => email),
        terms,
        positions,
        startedAtMs,
      ],
    )
  })
}

/** Seals the bank account of each, and returns it with the term by which its IBAN is found. */
function sealBankAccounts(
  installation: TestInstallation,
  given: { tenantId: string; positions: readonly number[]; ids: readonly string[]; vaults: Vaults },
): Promise<{ box: Buffer; term: string | undefined }[]> {
  const { tenantId, positions, ids, vaults } = given
  return withVault(installation, { tenantId, vaults }, (vault) =>
    Promise.all(
      positions.map(async (position, index) => {
        const bankAccount = { ...individual.bank_account, iban: ibanOfAccount(position) }
        const context = encryptionContext(ids[index] ?? '', 'bank_account')
        const [box, [term]] = await Promise.all([
          vault.seal(JSON.stringify(bankAccount), context),
          ibanTerm(vault, bankAccount.iban),
        ])
        return { box, term }
      }),
    ),
  )
}

/** $10 is the time of the first order; accounts have ids of that millisecond. */
const walletId = rowIdExpression('$10::bigint + 1', 'position')
