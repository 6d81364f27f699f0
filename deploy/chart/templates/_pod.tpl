{{/* What the process of a component listens on: its name in values, its argument, and the port of its probes. */}}
{{- define "investor-token.components" -}}
- { name: api, values: api, port: 8080 }
- { name: operator-api, values: operatorApi, port: 8081 }
- { name: worker, values: worker, port: 8084 }
- { name: indexer, values: indexer, port: 8082 }
{{- end -}}

{{/* The keys of the Secret that a process reads. All processes check the settings of all of them; only worker, indexer
and maintain get the login of the job queue, and only the migration and those commands of maintain that of the owner. */}}
{{- define "investor-token.secretKeys" -}}
{{- $keys := list -}}
{{- $hasCells := has "CELLS" .root.Values.secretKeys -}}
{{- if eq .component "migration" -}}
{{- $keys = list "OWNER_DATABASE_URL" -}}
{{- if $hasCells -}}{{- $keys = append $keys "OWNER_CELLS" -}}{{- end -}}
{{- else -}}
{{- $keys = list "DATABASE_URL" "REDIS_URL" "TOKEN_SIGNING_KEYS" "SECRET_PEPPERS" "DATA_MASTER_KEYS" "SMTP_URL" -}}
{{- $keys = concat $keys .root.Values.secretKeys -}}
{{- if has .component (list "worker" "indexer" "maintain") -}}
{{- $keys = append $keys "WORKER_DATABASE_URL" -}}
{{- if $hasCells -}}{{- $keys = append $keys "WORKER_CELLS" -}}{{- end -}}
{{- end -}}
{{- $command := "" -}}
{{- range .args -}}
{{- if and (not $command) (not (hasPrefix "-" .)) -}}{{- $command = . -}}{{- end -}}
{{- end -}}
{{- if and (eq .component "maintain") (has $command (include "investor-token.ownerCommands" . | fromJsonArray)) -}}
{{- $keys = append $keys "OWNER_DATABASE_URL" -}}
{{- if $hasCells -}}{{- $keys = append $keys "OWNER_CELLS" -}}{{- end -}}
{{- end -}}
{{- end -}}
{{ $keys | toJson }}
{{- end -}}

{{/* As files: environment variables are visible to everyone who may describe a pod's process. */}}
{{- define "investor-token.secretEnv" -}}
{{- range include "investor-token.secretKeys" . | fromJsonArray }}
- name: {{ . }}_FILE
  value: /run/secrets/investor-token/{{ . }}
{{- end }}
{{- end -}}

{{- define "investor-token.secretVolume" -}}
- name: secrets
  secret:
    {{- $values := .root.Values }}
    secretName: {{ eq .component "maintain" | ternary $values.maintain.existingSecret "" | default $values.existingSecret }}
    defaultMode: 0440
    items:
      {{- range include "investor-token.secretKeys" . | fromJsonArray }}
      - { key: {{ . }}, path: {{ . }} }
      {{- end }}
{{- end -}}

{{/* Where uploads are spooled. On the disk of the node: in memory it would count as that of the pod. */}}
{{- define "investor-token.uploadVolume" -}}
- name: uploads
  emptyDir: { sizeLimit: {{ .root.Values.uploads.sizeLimit }} }
{{- end -}}

{{- define "investor-token.podSecurity" -}}
runAsNonRoot: true
runAsUser: 65532
runAsGroup: 65532
# The files of the Secret belong to this group.
fsGroup: 65532
seccompProfile:
  type: RuntimeDefault
{{- end -}}

{{- define "investor-token.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end -}}

{{- define "investor-token.env" -}}
{{- $values := .root.Values -}}
- name: ENVIRONMENT
  value: {{ $values.environment }}
{{- with $values.releasedVersions }}
- name: RELEASED_VERSIONS
  value: {{ join "," . | quote }}
{{- end }}
- name: PUBLIC_BASE_URL
  value: {{ $values.publicBaseUrl | quote }}
- name: OPERATOR_BASE_URL
  value: {{ $values.operatorBaseUrl | quote }}
- name: WALLET_PROOF_URL
  value: {{ $values.walletProofUrl | quote }}
- name: MAIL_FROM
  value: {{ $values.mailFrom | quote }}
- name: DATABASE_POOL_MAX
  value: {{ $values.databasePoolMax | quote }}
# NetworkPolicies decide who reaches these ports.
{{- range list "HOST" "OPERATOR_HOST" "METRICS_HOST" }}
- name: {{ . }}
  value: 0.0.0.0
{{- end }}
{{- range $name, $value := $values.settings }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- include "investor-token.secretEnv" . }}
{{- end -}}
