// The DaemonSet controller of Kubernetes and nothing else of kube-controller-manager: it keeps the revisions that
// `kubectl rollout undo` goes back to, and makes pods anew that were deleted. The only argument is a kubeconfig; it ends
// with its standard input.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"time"

	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/util/flowcontrol"
	"k8s.io/kubernetes/pkg/controller/daemon"
)

func main() {
	if err := run(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(kubeconfig string) error {
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return err
	}
	config.QPS, config.Burst = 200, 200
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(context.Background())
	go func() {
		io.Copy(io.Discard, os.Stdin)
		stop()
	}()
	shared := informers.NewSharedInformerFactory(client, 0)
	controller, err := daemon.NewDaemonSetsController(
		ctx,
		shared.Apps().V1().DaemonSets(),
		shared.Apps().V1().ControllerRevisions(),
		shared.Core().V1().Pods(),
		shared.Core().V1().Nodes(),
		client,
		flowcontrol.NewBackOff(100*time.Millisecond, time.Second),
	)
	if err != nil {
		return err
	}
	shared.Start(ctx.Done())
	controller.Run(ctx, 2)
	return nil
}
