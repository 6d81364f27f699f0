import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type BrowserPerson, inBrowser, TestBrowser } from '../../service/test/harness/browser/test-browser.ts'
import { differenceOf, quartered } from './harness/picture-pixels.ts'
import { withSampleTexts } from './harness/sample-texts.ts'

interface Screen {
  readonly padding?: number
  readonly colour?: string
  readonly cells?: readonly string[]
}

/** A screen with a button and a table. */
const screenOf = ({ padding = 16, colour = '#4263eb', cells = ['Ada', 'Grace'] }: Screen) => `
  <body style="margin: 0; padding: ${padding}px; font: 13px sans-serif">
    <button style="border: 0; padding: 8px; background: ${colour}; color: white">Open offering</button>
    <table class="table">
      <tbody>${cells.map((cell) => `<tr class="row"><td>${cell}</td></tr>`).join('')}</tbody>
    </table>`

describe('the picture of a screen', inBrowser, () => {
  let browser: TestBrowser
  let page: BrowserPerson['page']

  before(async () => {
    browser = await TestBrowser.launch()
    ;({ page } = await browser.person('Ada Lovelace'))
  })
  after(() => browser?.close())

  async function pictureOf(screen: Screen): Promise<string> {
    await page.setContent(screenOf(screen))
    await withSampleTexts(page)
    return quartered(page, (await page.screenshot()).toString('base64'))
  }
  const differenceBetween = async (one: Screen, other: Screen) =>
    differenceOf(page, await pictureOf(one), await pictureOf(other))

  test('shows no difference between two runs of the same screen', async () => {
    assert.equal(await differenceBetween({}, {}), undefined)
  })

  test('shows a padding that changed by 8 pixels, or by one', async () => {
    assert.match((await differenceBetween({}, { padding: 24 })) ?? '', /averages differ, first at/)
    assert.match((await differenceBetween({}, { padding: 17 })) ?? '', /averages differ, first at/)
  })

  test('shows a wrong colour, even one that is nearly right', async () => {
    assert.match((await differenceBetween({}, { colour: '#e03131' })) ?? '', /averages differ, first at 16, 16/)
    assert.match((await differenceBetween({}, { colour: '#3b5bdb' })) ?? '', /averages differ, first at 16, 16/)
  })

  test('shows no difference in ids, references, times and the order of rows', async () => {
    const one = ['01a1ec61-0e54-7ee0-8400-3ad34776e98b', '2 minutes ago', 'RF7611112222333344', 'Nov 18, 2026, 1:59 AM']
    const other = ['RF2544443333222211', 'Dec 2, 2026, 11:59 PM', '6f54c77d-a283-45fa-9947-bb529630ff97', 'yesterday']
    assert.equal(await differenceBetween({ cells: one }, { cells: other }), undefined)
    assert.match((await differenceBetween({ cells: one }, { cells: [...other, 'x'] })) ?? '', /averages differ/)
  })
})
