import { integratorApi } from './integrator-api.ts'
import { serve } from './serve.ts'

await serve(integratorApi)
