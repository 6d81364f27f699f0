import { queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import { api, type Schemas } from './client.ts'
import { learnMinorUnitDigits } from './minor-unit-digits.ts'

export type Duty = Schemas['DutyGrant']['duty']
export type Me = Schemas['Me']

export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: async () => {
    const me = await api.get('/me')
    learnMinorUnitDigits(me.minor_unit_digits)
    return me
  },
  staleTime: 60_000,
})

/** The signed-in person. The shell loads it before it shows a screen. */
export function useMe(): Me {
  return useSuspenseQuery(meQuery).data
}

/** Returns true if the person may do something, so that screens leave out buttons that the service would reject. */
export type May = (duty: Duty, offeringId?: string | null) => boolean

export function useMay(): May {
  const { user } = useMe()
  return (wanted, offeringId) =>
    user.duties.some(
      ({ duty, offering_ids: offeringIds }) =>
        duty === wanted && (!offeringIds || (!!offeringId && offeringIds.includes(offeringId))),
    )
}
