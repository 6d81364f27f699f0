import { api, bodyOf } from '../api/client.ts'

export async function signOut(): Promise<void> {
  await bodyOf(api.POST('/sign-out'))
  location.assign('/console/sign-in')
}
