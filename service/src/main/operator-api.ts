import { serve } from './serve.ts'
import { servedOperatorApi } from './served-operator-api.ts'

await serve(servedOperatorApi)
