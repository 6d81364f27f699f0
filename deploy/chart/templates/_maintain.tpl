{{/* The commands of maintain that connect with the login of the owner. A test compares this with what each declares. */}}
{{- define "investor-token.ownerCommands" -}}
{{ list "add-cell" "after-restore" "drain-cell" "export-tenant" "finish-move" "list-cells" "list-moves" "migrate" "move-tenant" "resume-payouts" "rotate-data-key" "serve-copy" "set-cell-state" | toJson }}
{{- end -}}

{{/* The pod of a Job that runs one command of maintain. Takes (dict "root" $ "component" "maintain" "args" (list "migrate")). */}}
{{- define "investor-token.maintainPod" -}}
{{- $values := .root.Values -}}
{{- $settings := index $values .component -}}
metadata:
  labels:
    {{- include "investor-token.labels" . | nindent 4 }}
    {{- with $values.podLabels }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
spec:
  restartPolicy: Never
  automountServiceAccountToken: false
  enableServiceLinks: false
  securityContext:
    {{- include "investor-token.podSecurity" .root | nindent 4 }}
  {{- with $values.image.pullSecrets }}
  imagePullSecrets:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with $values.nodeSelector }}
  nodeSelector:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with $values.tolerations }}
  tolerations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  containers:
    - name: {{ .component }}
      image: {{ include "investor-token.image" .root }}
      imagePullPolicy: {{ $values.image.pullPolicy }}
      args:
        - maintain
        {{- toYaml .args | nindent 8 }}
      env:
        {{- if eq .component "migration" }}
        - name: ENVIRONMENT
          value: {{ $values.environment }}
        {{- include "investor-token.secretEnv" . | nindent 8 }}
        {{- else }}
        {{- include "investor-token.env" . | nindent 8 }}
        {{- end }}
      resources:
        {{- toYaml $settings.resources | nindent 8 }}
      securityContext:
        {{- include "investor-token.containerSecurity" .root | nindent 8 }}
      volumeMounts:
        - { name: secrets, mountPath: /run/secrets/investor-token, readOnly: true }
        {{- if eq .component "maintain" }}
        - { name: uploads, mountPath: /tmp }
        - { name: files, mountPath: /files }
        {{- end }}
        {{- with $values.extraVolumeMounts }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
  volumes:
    {{- include "investor-token.secretVolume" . | nindent 4 }}
    {{- if eq .component "maintain" }}
    {{- include "investor-token.uploadVolume" . | nindent 4 }}
    - name: files
      {{- if $settings.filesClaim }}
      persistentVolumeClaim: { claimName: {{ $settings.filesClaim }} }
      {{- else }}
      emptyDir: {}
      {{- end }}
    {{- end }}
    {{- with $values.extraVolumes }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
{{- end -}}
