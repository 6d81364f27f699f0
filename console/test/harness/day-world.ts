import { type Duty, duties } from '../../../service/src/platform/api/declare/duties.ts'
import { createAccount } from '../../../service/src/sales/accounts/create-account.ts'
import { createOrder } from '../../../service/src/sales/orders/create-order.ts'
import { AcmeProvider } from '../../../service/test/harness/browser/acme-provider.ts'
import { TestBrowser } from '../../../service/test/harness/browser/test-browser.ts'
import { SignInWorld } from '../../../service/test/harness/callers/sign-in-world.ts'
import { PacedChain } from '../../../service/test/harness/chain/paced-chain.ts'
import { WalletOwner } from '../../../service/test/harness/chain/wallet-owner.ts'
import { individual } from '../../../service/test/harness/data/bodies.ts'
import { createDocument } from '../../../service/test/harness/data/documents.ts'
import { freePort } from '../../../service/test/harness/installation/process.ts'
import { Mailbox } from '../../../service/test/harness/servers/mailbox.ts'
import { SettlementWorld } from '../../../service/test/harness/tokens/settlement-world.ts'
import { Keyboard } from './keyboard.ts'

export interface DayInvestor {
  accountId: string
  walletId: string
  address: string
  /** The investor's own keys, which the service does not know. */
  owner: WalletOwner
}

interface DayParts {
  readonly provider: AcmeProvider
  readonly signIn: SignInWorld
  readonly browser: TestBrowser
  readonly chain: PacedChain
  readonly settlement: SettlementWorld
  readonly mailbox: Mailbox
}

/** A whole installation without mocks: all processes, a chain that mines, an OpenID provider, a mail server. */
export class DayWorld {
  readonly #parts: DayParts
  readonly settlement: SettlementWorld
  readonly mailbox: Mailbox

  private constructor(parts: DayParts) {
    this.#parts = parts
    this.settlement = parts.settlement
    this.mailbox = parts.mailbox
  }

  static async start(): Promise<DayWorld> {
    const port = await freePort()
    const [provider, chain, mailbox, browser] = await Promise.all([
      AcmeProvider.open(port),
      PacedChain.start({ blockSeconds: 1 }),
      Mailbox.open(),
      TestBrowser.launch(),
    ])
    const settings = {
      ...provider.settings,
      CHAINS: `anvil=${chain.url}`,
      SMTP_URL: mailbox.url,
    }
    const signIn = await SignInWorld.start(settings, port)
    const settlement = await SettlementWorld.create(signIn.installation, chain)
    const { tenantId } = settlement
    await signIn.sql("update directory.tenant set identity_provider = 'acme' where id = $1", [tenantId])
    // Restores the defaults of a new tenant for the policies that the day shows. One person may do everything else.
    await signIn.sql(
      `delete from directory.approval_policy
       where tenant_id = $1 and policy in ('offering_opening', 'payout_release')`,
      [tenantId],
    )
    await Promise.all([signIn.installation.startWorker(settings), signIn.installation.startIndexer(settings)])
    return new DayWorld({ provider, signIn, browser, chain, settlement, mailbox })
  }

  async end(): Promise<void> {
    await this.#parts.browser.close()
    await this.settlement.end()
    await this.#parts.signIn.installation.end()
    await Promise.all([this.#parts.chain.stop(), this.#parts.provider.stop(), this.mailbox.close()])
  }

  /** Returns a person at the console who has signed in at the provider and has all duties except one. */
  async person(name: string, without: Duty): Promise<Keyboard> {
    const granted = duties.filter((duty) => duty !== without)
    const { secret } = await this.#parts.signIn.invite(this.settlement.tenantId, { duties: granted })
    const person = await this.#parts.browser.person(name, { baseURL: this.#parts.signIn.origin })
    const { page } = person
    // Steps that wait for the worker and the chain are slow on a busy machine.
    page.setDefaultTimeout(180_000)
    await page.setViewportSize({ width: 1366, height: 800 })
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await this.#parts.provider.join(person, secret, name)
    await page.goto('/console')
    await page.getByRole('heading', { name: 'Work' }).waitFor()
    return new Keyboard(page)
  }

  /** Creates an investor with a document and a proven wallet. By default no operator has decided about them. */
  async investor(firstName: string, lastName: string, change: object = {}): Promise<DayInvestor> {
    const { direct, fixtures, tenantId, chain } = this.settlement
    const body = { ...individual, individual: { ...individual.individual, firstName, lastName }, ...change }
    const { id: accountId } = await direct.run(createAccount, { body })
    await createDocument(this.settlement.installation, { tenantId, accountId })
    const owner = new WalletOwner()
    const walletId = await fixtures.wallet(tenantId, accountId, { blockchain: 'anvil' }, owner)
    await chain.fundGas(owner.address)
    return { accountId, walletId, address: owner.address, owner }
  }

  /** Creates an order as an integrator. Returns its payment reference. */
  async order(offeringId: string, accountId: string, units: string): Promise<{ id: string; reference: string }> {
    const body = { account_id: accountId, units }
    const { id } = await this.settlement.direct.run(createOrder, { params: { offeringId }, body })
    const [order] = await this.settlement.rows<{ reference: string }>(
      'select payment_reference as reference from cell.token_order where id = $1',
      [id],
    )
    return { id, reference: order?.reference ?? '' }
  }
}
