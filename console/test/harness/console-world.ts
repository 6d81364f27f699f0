import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { duties as allDuties, type Duty } from '../../../service/src/platform/api/declare/duties.ts'
import { type BrowserPerson, TestBrowser } from '../../../service/test/harness/browser/test-browser.ts'
import { SignInWorld } from '../../../service/test/harness/callers/sign-in-world.ts'
import { ChainRows } from '../../../service/test/harness/data/chain-rows.ts'
import { requireDocumentAndAnswers } from '../../../service/test/harness/data/eligibility.ts'
import type { TestInstallation } from '../../../service/test/harness/installation/test-installation.ts'
import { DistributionRows } from '../../../service/test/harness/money/distribution-rows.ts'
import { createUnassignedPayment, reportPayment } from '../../../service/test/harness/money/incoming-payment.ts'
import type { OperatorWorld } from '../../../service/test/harness/operator-requests/operator-request.ts'
import { createOperatorWorld } from '../../../service/test/harness/operator-requests/operator-world.ts'

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const someRules = { allowed_countries: ['DE', 'AT'], investor_max_amount: '10000.00' }

/** Creates a calculated distribution whose approval waits for a second person. */
async function proposeDistribution(installation: TestInstallation, { tenantId, accountId }: OperatorWorld) {
  const { distributionId } = await new DistributionRows(installation, tenantId).create(accountId, {
    status: 'CALCULATED',
  })
  const api = await installation.operatorApi()
  await api.call(tenantId, 'POST', `/distributions/${distributionId}/approve`)
  return distributionId
}

/** An operator API that serves the built console, a tenant with one object of each kind, and people with browsers. */
export class ConsoleWorld {
  readonly signIn: SignInWorld
  readonly ids: OperatorWorld
  readonly #browser: TestBrowser

  private constructor(signIn: SignInWorld, ids: OperatorWorld, browser: TestBrowser) {
    this.signIn = signIn
    this.ids = ids
    this.#browser = browser
  }

  /** Takes the settings of `SignInWorld`. */
  static async start(settings?: Record<string, string>): Promise<ConsoleWorld> {
    const [signIn, browser] = await Promise.all([SignInWorld.start(settings), TestBrowser.launch()])
    const { installation } = signIn
    const ids = await createOperatorWorld(installation, 'Harbour Issuer GmbH')
    await createUnassignedPayment(installation, ids.tenantId)
    await reportPayment(installation, ids.tenantId, { amount: '80.00', payer: { name: 'Grace Hopper', iban: '' } })
    const openOfferingId = await new ChainRows(installation, ids.tenantId).token()
    const proposedDistributionId = await proposeDistribution(installation, ids)
    const { tenantId, offeringId, accountId } = ids
    await requireDocumentAndAnswers(installation, { tenantId, offeringId }, someRules)
    const api = await installation.operatorApi()
    await api.call(tenantId, 'POST', `/offerings/${offeringId}/invitations`, { account_ids: [accountId] })
    return new ConsoleWorld(signIn, { ...ids, openOfferingId, proposedDistributionId }, browser)
  }

  async end(): Promise<void> {
    await this.#browser.close()
    await this.signIn.installation.end()
  }

  /** Returns a person who has accepted an invitation and is in the console. */
  async person(name: string, duties: readonly Duty[] = allDuties): Promise<ConsolePerson> {
    const { secret } = await this.signIn.invite(this.ids.tenantId, { duties })
    const person = await this.#browser.person(name, { baseURL: this.signIn.origin })
    const found = new ConsolePerson(person)
    await person.page.setViewportSize({ width: 1366, height: 800 })
    await person.page.goto(`/console/invitation#${secret}`)
    await person.page.getByRole('button', { name: 'Continue' }).click()
    await person.page.waitForURL('**/console')
    await person.page.getByRole('heading', { name: 'Work' }).waitFor()
    return found
  }
}

/** A signed-in person. Collects everything that the browser complains about. */
export class ConsolePerson {
  readonly person: BrowserPerson
  /** Console errors, failed scripts, violations of the content security policy. */
  readonly complaints: string[] = []

  constructor(person: BrowserPerson) {
    this.person = person
    person.page.on('pageerror', (error) => this.complaints.push(`error: ${error.message}`))
    person.page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') this.complaints.push(message.text())
    })
  }

  get page(): BrowserPerson['page'] {
    return this.person.page
  }

  /** Waits for a notification. A timeline on the same screen can show the same words. */
  async notified(text: string | RegExp): Promise<void> {
    await this.page.getByRole('alert').filter({ hasText: text }).first().waitFor()
  }

  /** Returns violations of WCAG 2.2 A and AA, or of the given rules, as "rule: elements". */
  async accessibilityFindings(rules?: readonly string[]): Promise<string[]> {
    if (await this.page.evaluate('typeof axe === "undefined"')) await this.page.evaluate(axeSource)
    return this.page.evaluate(async (only) => {
      const { axe } = globalThis as unknown as { axe: { run(options: object): Promise<{ violations: Violation[] }> } }
      interface Violation {
        id: string
        nodes: { html: string; failureSummary: string }[]
      }
      const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
      const { violations } = await axe.run({ runOnly: only ?? tags, resultTypes: ['violations'] })
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map((n) => n.html + n.failureSummary).join(' | ')}`)
    }, rules)
  }
}
