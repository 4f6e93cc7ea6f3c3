{{- define "calivet.account" -}}
{{ .Values.serviceAccount.name | default "calivet" }}
{{- end }}

{{- define "calivet.labels" -}}
app.kubernetes.io/name: calivet
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
{{- end }}

{{- /* Something where the verdict is to be an Event: other commands have none. */ -}}
{{- define "calivet.event" -}}
{{- if and .Values.event (eq (first .Values.args) "diagnose") }}true{{ end }}
{{- end }}

{{- /* The one Job, alone or made anew by the CronJob. */ -}}
{{- define "calivet.job" -}}
backoffLimit: 0
activeDeadlineSeconds: {{ .Values.activeDeadlineSeconds }}
ttlSecondsAfterFinished: {{ .Values.ttlSecondsAfterFinished }}
template:
  metadata:
    labels:
      {{- include "calivet.labels" . | nindent 6 }}
  spec:
    serviceAccountName: {{ include "calivet.account" . }}
    restartPolicy: Never
    {{- if .Values.hostNetwork }}
    hostNetwork: true
    dnsPolicy: Default
    {{- end }}
    {{- with .Values.imagePullSecrets }}
    imagePullSecrets:
      {{- toYaml . | nindent 6 }}
    {{- end }}
    {{- with .Values.nodeSelector }}
    nodeSelector:
      {{- toYaml . | nindent 6 }}
    {{- end }}
    {{- with .Values.affinity }}
    affinity:
      {{- toYaml . | nindent 6 }}
    {{- end }}
    {{- with .Values.tolerations }}
    tolerations:
      {{- toYaml . | nindent 6 }}
    {{- end }}
    securityContext:
      runAsNonRoot: true
      runAsUser: 65532
      runAsGroup: 65532
      seccompProfile:
        type: RuntimeDefault
    containers:
      - name: calivet
        image: "{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}"
        imagePullPolicy: {{ .Values.image.pullPolicy }}
        args:
          {{- toYaml .Values.args | nindent 10 }}
          {{- if include "calivet.event" . }}
          - --event
          - $(POD_NAMESPACE)/$(POD_NAME)
        env:
          - name: POD_NAMESPACE
            valueFrom: { fieldRef: { fieldPath: metadata.namespace } }
          - name: POD_NAME
            valueFrom: { fieldRef: { fieldPath: metadata.name } }
          {{- end }}
        # The end of the answer then stands in the pod's status too.
        terminationMessagePolicy: FallbackToLogsOnError
        securityContext:
          readOnlyRootFilesystem: true
          allowPrivilegeEscalation: false
          capabilities:
            drop: [ALL]
        resources:
          {{- toYaml .Values.resources | nindent 10 }}
        volumeMounts:
          - name: tmp
            mountPath: /tmp
    volumes:
      - name: tmp
        emptyDir:
          sizeLimit: 256Mi
{{- end }}
