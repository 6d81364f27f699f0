const isLong = process.env['TEST_LONG'] === 'true'

/** True if randomized tests repeat as often as before a release. */
export const isFull = isLong || process.env['TEST_FULL'] === 'true'

/** The size of a randomized test: small by default, full with TEST_LONG=true. */
export function testSize<Size>({ short, long }: { short: Size; long: Size }): Size {
  return isLong ? long : short
}
