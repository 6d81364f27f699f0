import { api, type Schemas } from '../api/client.ts'
import { Masked } from '../parts/masked.tsx'

/** IBAN of the payer of an unassigned payment. */
export function PayerIban({ id, payer_iban: masked }: Pick<Schemas['UnassignedPayment'], 'id' | 'payer_iban'>) {
  const path = { paymentId: id }
  const reveal = async () => (await api.post('/unassigned-payments/{paymentId}/reveal', { path })).payer_iban
  return <Masked value={masked} reveal={reveal} />
}
