import { api } from '../api/client.ts'

export async function signOut(): Promise<void> {
  await api.post('/sign-out')
  location.assign('/console/sign-in')
}
