/** The size of a randomized test: small by default, full with TEST_LONG=true. */
export function testSize<Size>({ short, long }: { short: Size; long: Size }): Size {
  return process.env['TEST_LONG'] === 'true' ? long : short
}
