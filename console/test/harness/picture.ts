import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { BrowserPerson } from '../../../service/test/harness/browser/test-browser.ts'
import { until } from '../../../service/test/harness/wait.ts'
import { differenceOf, quartered } from './picture-pixels.ts'
import { withSampleTexts } from './sample-texts.ts'

type Page = BrowserPerson['page']

// A quarter as wide and high, so that 16 pixels become their average. All screens in both schemes take less than 1 MB,
// and a person can still look at them. Whole screenshots would add 6 MB to the repository with each change of the
// frame. A button that moved by a pixel or changed its colour changes these averages by more than the tolerance.
// Rejected: averages as text, which a reviewer cannot look at, and whole screenshots, for their size.
const folder = new URL('../pictures/', import.meta.url)
const record = new URL('made-with.json', folder)
const failures = `${tmpdir()}/console-pictures`
const isUpdate = process.env['UPDATE_SNAPSHOTS'] === 'true'

/** Identifies the renderer: the version of Chromium, and the fonts, by the width of a text in them. */
async function rendererOf(page: Page): Promise<object> {
  const widths = await page.evaluate(() => {
    const { document } = globalThis as unknown as { document: { createElement(name: 'canvas'): Canvas } }
    interface Canvas {
      getContext(kind: '2d'): { font: string; measureText(text: string): { width: number } }
    }
    const context = document.createElement('canvas').getContext('2d')
    return ['13px system-ui', '600 13px sans-serif', '12px monospace'].map((font) => {
      context.font = font
      return Math.round(context.measureText('Hamburgefonstiv 0123456789').width * 100)
    })
  })
  return { chromium: page.context().browser()?.version() ?? '', text_widths: widths.join(' ') }
}

/** Returns why the committed pictures cannot be compared with those of this browser, or undefined if they can. */
export async function whyNotComparable(page: Page): Promise<string | undefined> {
  const renderer = `${JSON.stringify(await rendererOf(page), undefined, 2)}\n`
  const made = existsSync(record) ? readFileSync(record, 'utf8') : ''
  if (isUpdate && made !== renderer) {
    // Pictures of two renderers must not be mixed.
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder, { recursive: true })
    writeFileSync(record, renderer)
    return undefined
  }
  if (made === renderer) return undefined
  return `not compared: the pictures were made with ${oneLine(made)}, this is ${oneLine(renderer)}`
}

const oneLine = (json: string) => json.replaceAll(/\s+/g, ' ').trim()

/** Fails if the page does not look like the committed picture. */
export async function matchesPicture(page: Page, name: string): Promise<void> {
  const file = new URL(`${name.replaceAll(' ', '-')}.webp`, folder)
  if (isUpdate) writeFileSync(file, Buffer.from(await settledPicture(page, name), 'base64'))
  assert.ok(existsSync(file), `${fileURLToPath(file)} is missing: UPDATE_SNAPSHOTS=true TEST_LONG=true writes it`)
  const expected = readFileSync(file).toString('base64')
  let taken = ''
  let difference: string | undefined
  const isAsExpected = async () => {
    taken = await pictureOf(page)
    difference = await differenceOf(page, expected, taken)
    return difference === undefined
  }
  await until(name, isAsExpected, 15_000).catch(() => {})
  if (difference === undefined) return
  mkdirSync(failures, { recursive: true })
  writeFileSync(`${failures}/${name.replaceAll(' ', '-')}.webp`, Buffer.from(taken, 'base64'))
  const remedy = `see ${failures}. If that is right: UPDATE_SNAPSHOTS=true TEST_LONG=true`
  assert.fail(`${name} differs from its picture: ${difference}; ${remedy}`)
}

/** Takes a small picture of the page, with samples instead of ids and times. */
async function pictureOf(page: Page): Promise<string> {
  await page.mouse.move(0, 0)
  await withSampleTexts(page)
  return quartered(page, (await page.screenshot({ fullPage: true })).toString('base64'))
}

/** Takes a picture once nothing has changed for a while, because parts of a screen load on their own. */
async function settledPicture(page: Page, name: string): Promise<string> {
  let taken = await pictureOf(page)
  let difference: string | undefined
  const isSettled = async () => {
    await page.waitForTimeout(1_000)
    const before = taken
    taken = await pictureOf(page)
    difference = await differenceOf(page, before, taken)
    return difference === undefined
  }
  await until(name, isSettled).catch(() => assert.fail(`${name} does not settle: ${difference}`))
  return taken
}
