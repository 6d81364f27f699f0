import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { TokenUnits } from '../../../service/src/platform/base/token-units.ts'
import { priceOf, showMoney, showTokens } from './money.ts'

describe('money', () => {
  test('the displayed price equals the price that the service computes', () => {
    for (const currency of ['EUR', 'JPY', 'KWD'])
      for (const decimals of [0, 8, 18])
        for (const price_per_token of ['0', '1', '12.5', '0.005', '1.005', '0.000001'])
          for (const units of [1n, 7n, 10n ** 8n, 1_050_000_000n, 123_456_789_012_345n]) {
            const price = priceOf(units, { decimals, price_per_token, currency })
            const servicePrice = TokenUnits.of(units, decimals).priceAt(price_per_token, currency)
            // The service rejects such a large order.
            if (servicePrice === undefined) continue
            assert.equal(
              Number(price),
              servicePrice.toNumber(),
              `${units} of ${decimals} decimals at ${price_per_token} ${currency}`,
            )
          }
  })

  test('large amounts are displayed with all digits', () => {
    assert.equal(showMoney('90071992547409931.25', 'EUR'), '€90,071,992,547,409,931.25')
    const token = { decimals: 18, symbol: 'T' }
    assert.equal(
      showTokens(90_071_992_547_409_931_000_000_000_000_000_001n, token),
      '90,071,992,547,409,931.000000000000000001 T',
    )
  })
})
