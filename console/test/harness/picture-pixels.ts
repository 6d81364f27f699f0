import type { BrowserPerson } from '../../../service/test/harness/browser/test-browser.ts'

type Page = BrowserPerson['page']

// Chromium itself decodes, scales, encodes and compares the pictures, so no package is needed.
interface Canvas {
  readonly width: number
  readonly height: number
  getContext(kind: '2d'): {
    imageSmoothingQuality: string
    drawImage(image: Bitmap, x: number, y: number, width: number, height: number): void
    getImageData(x: number, y: number, width: number, height: number): { data: Uint8ClampedArray }
  }
  convertToBlob(options: { type: string; quality: number }): Promise<Blob>
}
interface Bitmap {
  readonly width: number
  readonly height: number
}
interface Images {
  createImageBitmap(image: Blob): Promise<Bitmap>
  OffscreenCanvas: new (width: number, height: number) => Canvas
}

/** Scales a picture to a sixteenth of its pixels, as lossless WebP. Input and output are base64. */
export async function quartered(page: Page, png: string): Promise<string> {
  return page.evaluate(async (encoded) => {
    const { createImageBitmap, OffscreenCanvas } = globalThis as unknown as Images
    const image = await createImageBitmap(new Blob([Uint8Array.from(atob(encoded), (one) => one.charCodeAt(0))]))
    const canvas = new OffscreenCanvas(Math.ceil(image.width / 4), Math.ceil(image.height / 4))
    const context = canvas.getContext('2d')
    // Halved twice, so that each pixel is the average of sixteen.
    context.imageSmoothingQuality = 'medium'
    context.drawImage(image, 0, 0, canvas.width, canvas.height)
    // Quality 1 is lossless in Chromium.
    const bytes = new Uint8Array(await (await canvas.convertToBlob({ type: 'image/webp', quality: 1 })).arrayBuffer())
    return btoa(Array.from(bytes, (one) => String.fromCharCode(one)).join(''))
  }, png)
}

/** Largest difference per channel, of 255. It covers rounding; every run so far drew the same page identically. */
const tolerance = 4

/** Returns where two pictures differ and by how much, or undefined if they look the same. */
export async function differenceOf(page: Page, expected: string, actual: string): Promise<string | undefined> {
  return page.evaluate(
    async ([one, other, most]) => {
      const { createImageBitmap, OffscreenCanvas } = globalThis as unknown as Images
      const pixelsOf = async (encoded: string) => {
        const image = await createImageBitmap(new Blob([Uint8Array.from(atob(encoded), (byte) => byte.charCodeAt(0))]))
        const { width, height } = image
        const context = new OffscreenCanvas(width, height).getContext('2d')
        context.drawImage(image, 0, 0, width, height)
        return { width, height, data: context.getImageData(0, 0, width, height).data }
      }
      const [left, right] = [await pixelsOf(one), await pixelsOf(other)]
      if (left.width !== right.width || left.height !== right.height)
        return `it has ${right.width * 4} x ${right.height * 4} pixels, not ${left.width * 4} x ${left.height * 4}`
      const changed = left.data.map((value, index) => Math.abs(value - (right.data[index] ?? 0)))
      const differing = [...changed.keys()].filter((index) => (changed[index] ?? 0) > most)
      const [first] = differing
      if (first === undefined) return undefined
      const pixel = Math.floor(first / 4)
      const [x, y] = [(pixel % left.width) * 4, Math.floor(pixel / left.width) * 4]
      const strongest = differing.reduce((sum, index) => Math.max(sum, changed[index] ?? 0), 0)
      return `${differing.length} averages differ, first at ${x}, ${y}, by up to ${strongest} of 255`
    },
    [expected, actual, tolerance] as const,
  )
}
