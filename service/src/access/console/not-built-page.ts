/** Page shown in place of a console that was not built. The operator API works without it. */
export const notBuiltPage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Console not built · Investor Token Service</title>
<meta http-equiv="refresh" content="5">
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/console/assets/pages.css">
</head>
<body>
<main>
<h1>The console is not built</h1>
<p><code>npm run dev</code> builds it in a few seconds. Elsewhere run <code>npm run console:build</code>.
No restart is needed: this page reloads itself.</p>
<p><a href="/console/sign-in">Sign in</a> · <a href="/console/passkey">Passkeys</a></p>
</main>
</body>
</html>
`
