import './app/trusted-types.ts'
import './app/mantine.css'
import './app/console.css'
import './app/widths.css'
import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { setNonce } from 'get-nonce'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { restoreAddress } from './api/sign-in.ts'
import { metaContent } from './app/meta.ts'
import { queries } from './app/queries.ts'
import { router } from './app/router.tsx'
import { cssVariables, theme } from './app/theme.ts'
import { startTexts } from './text/texts.ts'

const nonce = metaContent('csp-nonce')
// Needed for the <style> that dialogs insert to lock scrolling.
setNonce(nonce)
restoreAddress()
await startTexts()

const root = document.getElementById('root')
if (!root) throw new Error('the page has no #root')
createRoot(root).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
    >
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
)
