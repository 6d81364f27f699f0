import { test } from 'node:test'

/** Returns a function that adds a step to a test. Each step needs the previous one. */
export function inSteps(): (name: string, run: () => Promise<void>) => void {
  let isBroken = false
  return (name, run) =>
    void test(name, async (context) => {
      if (isBroken) return context.skip('the step before has failed')
      isBroken = true
      await run()
      isBroken = false
    })
}
