{{/* Rules that a schema cannot state, or only with a message that says neither the rule nor the fix. */}}
{{- define "investor-token.checks" -}}
{{- if eq .Values.image.tag "latest" -}}
{{- fail "image.tag must not be latest: pods of one release could run different images. Leave it empty, or set image.digest." -}}
{{- end -}}
{{- $scaling := .Values.autoscaling -}}
{{- if and $scaling.enabled (gt (int $scaling.minReplicas) (int $scaling.maxReplicas)) -}}
{{- fail "autoscaling.maxReplicas must be at least autoscaling.minReplicas." -}}
{{- end -}}
{{- $secrets := list "DATABASE_URL" "CELLS" "READ_DATABASE_URL" "READ_CELLS" "WORKER_DATABASE_URL" "WORKER_CELLS" "OWNER_DATABASE_URL" "OWNER_CELLS" "REDIS_URL" "TOKEN_SIGNING_KEYS" "SECRET_PEPPERS" "DATA_MASTER_KEYS" "SMTP_URL" "CHAINS" "PKCS11_PIN" "OIDC_CLIENT_SECRETS" -}}
{{- $values := dict "ENVIRONMENT" "environment" "RELEASED_VERSIONS" "releasedVersions" "PUBLIC_BASE_URL" "publicBaseUrl" "OPERATOR_BASE_URL" "operatorBaseUrl" "WALLET_PROOF_URL" "walletProofUrl" "MAIL_FROM" "mailFrom" "DATABASE_POOL_MAX" "databasePoolMax" -}}
{{- $fixed := list "HOST" "OPERATOR_HOST" "METRICS_HOST" "PORT" "OPERATOR_PORT" "WORKER_PORT" "INDEXER_PORT" "METRICS_PORT" "BUILD_COMMIT" -}}
{{- range $name, $_ := .Values.settings -}}
{{- if has (trimSuffix "_FILE" $name) $secrets -}}
{{- fail (printf "settings.%s is a secret: put it into the Secret that existingSecret names." $name) -}}
{{- else if hasKey $values $name -}}
{{- fail (printf "settings.%s has its own value: set %s." $name (get $values $name)) -}}
{{- else if has $name $fixed -}}
{{- fail (printf "settings.%s is set by the chart: remove it." $name) -}}
{{- end -}}
{{- end -}}
{{- end -}}
